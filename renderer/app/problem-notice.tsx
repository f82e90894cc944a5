import { useActions, useApp } from '../store/context.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'

/** The last thing that went wrong outside of a build; it stays until it is read. */
export function ProblemNotice() {
  const problem = useApp((state) => state.problem)
  const { dismissProblem } = useActions()
  if (problem === null) return null
  return (
    <ErrorNotice what={problem.what} error={problem.error} className="problem">
      <Button onClick={dismissProblem}>Dismiss</Button>
    </ErrorNotice>
  )
}
