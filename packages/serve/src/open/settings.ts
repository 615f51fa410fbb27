/** Resolves settings. Precedence: flag, environment, definition, default. */
import { availableParallelism } from 'node:os'
import type { WorldDefinition } from '@worldwright/publish'
import {
  environmentName,
  flagName,
  SETTINGS,
  type Setting,
  type SettingValue,
  type SettingValues,
  settingFromText,
  shownSetting,
} from '@worldwright/publish/settings'
import { fromEnv, type Io, UsageFault } from '../terminal/io.ts'

/** Command-line flags by setting name. */
export type SettingFlags = Readonly<Partial<Record<string, string | boolean>>>

/** Source of a value, which determines its precedence. */
export type SettingOrigin = 'flag' | 'environment' | 'definition' | 'default'

/** A setting with its value. The value is undefined if the setting is not set and has no fixed default. */
export interface ResolvedSetting {
  readonly setting: Setting
  readonly value: SettingValue | undefined
  readonly origin: SettingOrigin
}

/** Settings that a world is served with. A setting without a default may be absent. */
export type Settings = Partial<SettingValues> &
  Pick<SettingValues, keyof typeof DEFAULTS | 'workers' | 'logFormat' | 'accessLog'>

const DEFAULTS = {
  host: '127.0.0.1',
  port: 8080,
  adminHost: '127.0.0.1',
  trustProxy: false,
  trustedProxies: [],
  proxyHeader: 'x-forwarded-for',
  robots: 'all',
  training: 'allow',
  changes: true,
  retentionDays: 90,
  pages: true,
  embed: [],
  downloads: true,
  downloadSpace: 10_000,
  mcp: false,
  meaningTypes: [],
  readOnly: false,
  operator: false,
  private: false,
  watch: true,
  onInvalid: 'reject',
  retiredApiPaths: [],
} as const satisfies Partial<SettingValues>

/** Environment in which settings are resolved. If `stderr` is absent, output is assumed not to go to a terminal. */
type SettingsIo = Pick<Io, 'env'> & Partial<Pick<Io, 'stderr'>>

/** Log format: JSON with one record per line, or text. */
export type LogFormat = 'json' | 'text'

/** Returns the configured log format. Default: text on a terminal, otherwise JSON. @throws UsageFault */
export function logFormatFrom(flags: SettingFlags, io: SettingsIo): LogFormat {
  const named = flags['logFormat'] ?? fromEnv(io, 'WORLD_LOG_FORMAT')
  if (named === undefined) return io.stderr?.isTTY ? 'text' : 'json'
  if (named === 'json' || named === 'text') return named
  throw new UsageFault(`WORLD_LOG_FORMAT is one of json, text; this is ${named}`)
}

/** Returns the tombstone retention of a served world, in milliseconds. */
export function deletionsKeptMs({ retentionDays }: Pick<Settings, 'retentionDays'>): number {
  return retentionDays * 24 * 60 * 60 * 1_000
}

/** Resolves all settings, with the origin of each value. @throws UsageFault for an invalid value */
function resolveSettings(
  definition: WorldDefinition,
  flags: SettingFlags,
  io: Pick<Io, 'env'>,
): ResolvedSetting[] {
  return SETTINGS.map((setting) => {
    const { name } = setting
    const flag = flags[name]
    if (flag !== undefined)
      return { setting, value: fromTyped(setting, flag, flagName(name)), origin: 'flag' }
    const variable = environmentName(name)
    const text = fromEnv(io, variable)
    if (text !== undefined)
      return { setting, value: fromTyped(setting, text, variable), origin: 'environment' }
    const written = setting.notInFile ? undefined : definition[name as keyof WorldDefinition]
    if (written !== undefined) return { setting, value: written as SettingValue, origin: 'definition' }
    return { setting, value: undefined, origin: 'default' }
  })
}

/** A setting formatted for display. */
export interface ShownSetting {
  readonly name: string
  /** Value as text. Secrets are masked, and defaults without a fixed value are described. */
  readonly value: string
  /** `flag`, `environment`, `default`, or the path of the definition. */
  readonly from: string
}

/** Returns all settings for display. `file` is the path of the definition. @throws UsageFault */
export function shownSettings(
  definition: WorldDefinition,
  flags: SettingFlags,
  io: Pick<Io, 'env'>,
  file: string | undefined,
): ShownSetting[] {
  return resolveSettings(definition, flags, io).map(({ setting, value, origin }) => ({
    name: setting.name,
    value: value === undefined ? setting.fallback : shownSetting(setting, value),
    from: origin === 'definition' ? (file ?? origin) : origin,
  }))
}

/** Returns the settings for serving a world, including defaults. @throws UsageFault */
export function settingsFrom(definition: WorldDefinition, flags: SettingFlags, io: SettingsIo): Settings {
  const given = resolveSettings(definition, flags, io)
    .filter(({ value }) => value !== undefined)
    .map(({ setting, value }) => [setting.name, value] as const)
  const logFormat = logFormatFrom(flags, io)
  return {
    ...DEFAULTS,
    workers: availableParallelism(),
    accessLog: logFormat === 'json',
    ...Object.fromEntries(given),
    logFormat,
  }
}

function fromTyped(setting: Setting, typed: string | boolean, spelling: string): SettingValue {
  if (typeof typed === 'boolean') return typed
  const read = settingFromText(setting, typed)
  if ('value' in read) return read.value
  throw new UsageFault(`${spelling} ${read.fault}; this is ${typed}`)
}
