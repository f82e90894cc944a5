/** Stands above a throwaway sandbox on its way. */
export function TryHeading({ profile }: { profile: string }) {
  return (
    <header className="project-heading">
      <div className="grow">
        <h1 className="ellipsis selectable">Try {profile}</h1>
        <p className="quiet">On an empty folder, which goes when the sandbox ends. The home is the usual one.</p>
      </div>
    </header>
  )
}
