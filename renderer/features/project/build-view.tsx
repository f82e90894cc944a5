import { RotateCw } from 'lucide-react'
import { useActions, useApp } from '../../store/context.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { WorkView } from '../../ui/work-view.tsx'

/** A launch on its way, or how it failed, in the place of the launch button. */
export function BuildView({ folder }: { folder: string }) {
  const launch = useApp(({ launches }) => launches[folder])
  const { cancelLaunch, dismissLaunch, retryLaunch } = useActions()
  if (!launch) return null
  const { status, error, profile } = launch
  const isBusy = status === 'running' || status === 'cancelling'
  return (
    <WorkView
      work={launch}
      title={status === 'cancelled' ? 'The launch was cancelled' : status === 'failed' ? 'The launch failed' : `Launching ${profile}`}
      actions={
        isBusy ? (
          <Button data-region-focus disabled={status === 'cancelling'} onClick={() => cancelLaunch(folder)}>
            {status === 'cancelling' ? 'Cancelling…' : 'Cancel'}
          </Button>
        ) : (
          <>
            <Button look="primary" data-primary data-region-focus icon={RotateCw} onClick={() => void retryLaunch(folder)}>
              Try again
            </Button>
            <Button onClick={() => dismissLaunch(folder)}>Back</Button>
          </>
        )
      }
    >
      {error && <ErrorNotice what={error.code === 'build-failed' ? 'The image was not built.' : 'The sandbox was not started.'} error={error} />}
    </WorkView>
  )
}
