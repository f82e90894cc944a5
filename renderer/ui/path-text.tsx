import { Fragment } from 'react'

/** A path that breaks behind its slashes, if it has to. */
export function PathText({ path }: { path: string }) {
  return path.split('/').map((part, at) => (
    <Fragment key={at}>
      {at > 0 && (
        <>
          /<wbr />
        </>
      )}
      {part}
    </Fragment>
  ))
}
