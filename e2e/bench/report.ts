import { loadavg } from 'node:os'
import { median, type Pairs, ratioOf } from './samples.ts'

/** One figure of a benchmark. */
export interface Figure {
  bench: string
  name: string
  value: number
  unit: string
  /** What the value should not exceed; null when nothing is demanded. */
  limit: number | null
  samples: Record<string, readonly number[]>
}

/** Takes figures as they come. */
export interface Report {
  /** The median of some samples. */
  median(name: string, unit: string, samples: readonly number[], limit?: number): void
  /** What two things took, in ms, and their ratio. */
  ratio(ours: string, theirs: string, pairs: Pairs, limit: number | null): void
  figure(name: string, unit: string, value: number, limit?: number): void
  note(text: string): void
}

/** Prints figures as lines, or with `isJson` as one document at the end. */
export function createReports(isJson: boolean): { of: (bench: string) => Report; end: () => void } {
  const figures: Figure[] = []
  const say = (line: string) => void (isJson || console.log(line))
  const startedUnder = loadavg()[0]!
  return {
    of(bench) {
      const add = (name: string, unit: string, value: number, limit: number | null, samples: Figure['samples']) => {
        figures.push({ bench, name, value, unit, limit, samples })
        say(`${bench}: ${name} ${inWords(value, unit)}${limit === null ? '' : `, limit ${inWords(limit, unit)}: ${value <= limit ? 'ok' : 'OVER'}`}`)
      }
      return {
        median: (name, unit, samples, limit) => add(`${name} (median of ${samples.length}, ${inWords(Math.min(...samples), unit)} to ${inWords(Math.max(...samples), unit)})`, unit, median(samples), limit ?? null, { [name]: samples }),
        ratio(ours, theirs, pairs, limit) {
          say(`${bench}: ${ours} ${inWords(median(pairs.ours), 'ms')}, ${theirs} ${inWords(median(pairs.theirs), 'ms')}`)
          add(`median ratio of ${pairs.ours.length} pairs`, '', ratioOf(pairs), limit, { [ours]: pairs.ours, [theirs]: pairs.theirs })
        },
        figure: (name, unit, value, limit) => add(name, unit, value, limit ?? null, {}),
        note: (text) => say(`${bench}: ${text}`),
      }
    },
    end() {
      if (isJson) console.log(JSON.stringify({ loadAtStart: startedUnder, loadAtEnd: loadavg()[0], figures }, null, 2))
      else console.log(`load of this machine: ${startedUnder.toFixed(1)} at the start, ${loadavg()[0]!.toFixed(1)} at the end`)
    },
  }
}

function inWords(value: number, unit: string): string {
  if (unit === '') return value.toFixed(2)
  return `${value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(1)} ${unit}`
}
