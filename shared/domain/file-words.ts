/** A file's size as a list shows it: `512 B`, `12 KiB`, `3.4 MiB`. Pure. */
export function fileSizeInWords(bytes: number): string {
  const [unit, name] = ([[1024 ** 3, 'GiB'], [1024 ** 2, 'MiB'], [1024, 'KiB']] as const).find(([size]) => bytes >= size) ?? ([1, 'B'] as const)
  const value = bytes / unit
  return `${value >= 10 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)} ${name}`
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const twoDigits = (value: number) => String(value).padStart(2, '0')

/** A time as a list shows it, in local time: `14:32` today, `12 Nov` this year, `12 Nov 2024` else. Pure. */
export function timeInWords(at: Date, now: Date): string {
  const day = `${at.getDate()} ${months[at.getMonth()]}`
  if (at.getFullYear() !== now.getFullYear()) return `${day} ${at.getFullYear()}`
  const isToday = at.getDate() === now.getDate() && at.getMonth() === now.getMonth()
  return isToday ? `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}` : day
}

/** How much was copied: `1 file, 12 KiB`. Pure. */
export function copiedInWords({ files, bytes }: { files: number; bytes: number }): string {
  return `${files} ${files === 1 ? 'file' : 'files'}, ${fileSizeInWords(bytes)}`
}
