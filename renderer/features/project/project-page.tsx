import { triedProfile } from '../../../shared/domain/try-folder.ts'
import { useApp } from '../../store/context.tsx'
import { BuildView } from './build-view.tsx'
import { LaunchForm } from './launch-form.tsx'
import { ProjectHeading } from './project-heading.tsx'
import { RunningHere } from './running-here.tsx'
import { TryHeading } from './try-heading.tsx'
import './project.css'

/** A project: what it is launched with, and the one button that does it; or the build on the way there. */
export function ProjectPage({ folder }: { folder: string }) {
  const project = useApp(({ projects }) => projects?.find((one) => one.folder === folder))
  const isLaunching = useApp(({ launches }) => launches[folder] !== undefined)
  const tried = triedProfile(folder)
  return (
    <div className={`page project-page ${isLaunching ? 'has-build' : ''}`}>
      {tried === null ? <ProjectHeading folder={folder} project={project} /> : <TryHeading profile={tried} />}
      {isLaunching ? (
        <BuildView folder={folder} />
      ) : (
        <>
          <RunningHere folder={folder} />
          <LaunchForm folder={folder} exists={project?.exists ?? true} />
        </>
      )}
    </div>
  )
}
