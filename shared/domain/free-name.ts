/**
 * A name that is not taken: itself, or with a number before its ending. Pure but for what it asks.
 * @param isTaken asked of one name after the other
 */
export async function freeName(name: string, isTaken: (name: string) => Promise<boolean>): Promise<string> {
  const [, stem = name, ending = ''] = /^(.+?)(\.[^.]+)?$/s.exec(name) ?? []
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${stem} (${number})${ending}`
    if (!(await isTaken(candidate))) return candidate
  }
}
