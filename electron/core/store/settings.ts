import { readFile } from 'node:fs/promises'
import { type Settings, settingKeys, settingsSchema } from '../../../shared/domain/settings.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { setAside } from './set-aside.ts'
import { writeJson } from './write-json.ts'

/** Settings in force and what the person should hear about how they were found. */
export interface LoadedSettings {
  settings: Settings
  warnings: string[]
}

/** Settings that the environment may override; the others are about the window. */
const variables: Partial<Record<keyof Settings, string>> = { isolation: 'PADDOCK_ISOLATION', baseImage: 'PADDOCK_BASE_IMAGE' }

/**
 * Reads the settings file, then `PADDOCK_*`, which win. A missing file means all defaults; one that is not JSON is set
 * aside and named.
 * @throws {PaddockError} `settings-invalid`, naming the unknown key or bad value and where it stands
 */
export async function loadSettings(file: string, environment: NodeJS.ProcessEnv = process.env): Promise<LoadedSettings> {
  const { value, warnings } = await readSettingsFile(file)
  const fromFile = check(value, (key) => `${file}: "${key}"`)
  const set = Object.entries(variables).filter(([, variable]) => (environment[variable] ?? '') !== '')
  const fromEnvironment = check(
    Object.fromEntries(set.map(([key, variable]) => [key, environment[variable]])),
    (key) => variables[key as keyof Settings] ?? key,
  )
  return { settings: { ...fromFile, ...fromEnvironment }, warnings }
}

/** Changes of this process, one after the other: each reads what the last one wrote. */
const queues = new Map<string, Promise<unknown>>()

/**
 * Changes some settings in the file and leaves the others; returns what then stands there.
 * @param onWarning a damaged file was set aside
 */
export function saveSettings(file: string, change: Settings, onWarning: (text: string) => void = () => {}): Promise<Settings> {
  const saved = (queues.get(file) ?? Promise.resolve()).then(() => saveNow(file, change, onWarning))
  queues.set(file, saved.catch(() => {}))
  return saved
}

async function saveNow(file: string, change: Settings, onWarning: (text: string) => void): Promise<Settings> {
  const { value, warnings } = await readSettingsFile(file)
  const settings = { ...check(value, (key) => `${file}: "${key}"`), ...change }
  warnings.forEach(onWarning)
  await writeJson(file, settings)
  return settings
}

async function readSettingsFile(file: string): Promise<{ value: unknown; warnings: string[] }> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { value: {}, warnings: [] }
    throw new PaddockError({
      code: 'settings-invalid',
      message: `The settings in ${file} cannot be read: ${(error as Error).message}.`,
      hint: 'Make the file readable for you, or remove it to start with the defaults.',
    })
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const aside = await setAside(file)
    return {
      value: {},
      warnings: [`The settings were damaged (${(error as Error).message}); they were set aside as ${aside}, and the defaults apply.`],
    }
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value, warnings: [] }
  throw new PaddockError({ code: 'settings-invalid', message: `${file} must hold an object.`, hint: `Settings are: ${settingKeys.join(', ')}.` })
}

function check(value: unknown, name: (key: string) => string): Settings {
  const parsed = settingsSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  throw new PaddockError({
    code: 'settings-invalid',
    message: issue.code === 'unrecognized_keys' ? `${name(issue.keys[0]!)} is not a setting.` : `${name(issue.path.join('.'))} ${describe(issue)}.`,
    hint: `Settings are: ${settingKeys.join(', ')}.`,
  })
}

function describe(issue: { code: string; values?: unknown[] }): string {
  if (issue.code === 'invalid_value') return `must be one of: ${issue.values?.join(', ')}`
  return 'has a value that does not fit'
}
