/**
 * The settings of a world: one list, from which the three spellings follow: `publicUrl` in the definition,
 * `WORLD_PUBLIC_URL` in the environment, `--public-url` on the command line.
 */

/** The kind of value that a setting takes. */
export type SettingKind = 'text' | 'truth' | 'port' | 'count' | 'choice' | 'list'

/** One setting, as the definition, the environment and flags spell it. */
export interface Setting {
  /** As the definition spells it. */
  readonly name: string
  readonly kind: SettingKind
  /** The default; in words if it depends on something. */
  readonly fallback: string
  readonly description: string
  readonly choices?: readonly string[]
  /** Minimum of a count, by default 1. The count 0 switches a limit off. */
  readonly least?: number
  /** Maximum of a count, by default 999. */
  readonly most?: number
  /** Masked wherever it is shown. */
  readonly secret?: true
  /** Set only by the environment and flags: a definition is shared, a token is not. */
  readonly notInFile?: true
}

/** One day, in seconds. */
const MOST_SECONDS = 86_400

const ALL = [
  text(
    'store',
    'sqlite:world.db beside the definition',
    'the store, as sqlite:FILE or postgres://USER@HOST/DATABASE',
  ),
  text('host', '127.0.0.1', 'address to listen on'),
  setting('port', 'port', '8080', 'port to listen on, 0 for any free one'),
  setting('workers', 'count', 'one for each core', 'processes that answer requests'),
  setting('adminPort', 'port', 'none', 'port to serve health and metrics on, 0 for any free one'),
  text('adminHost', '127.0.0.1', 'address to serve health and metrics on'),
  {
    ...setting('maxLag', 'count', 'none', 'seconds that a copy may be behind and still be ready'),
    most: MOST_SECONDS,
  },
  text('publicUrl', 'the address it listens on', 'the origin that readers use'),
  text('apiUrl', '/api/world/v0 below publicUrl', 'the API, if it is not below the origin'),
  truth('trustProxy', 'false', 'take the origin from the headers of a proxy in front'),
  setting('retiredApiPaths', 'list', 'none', 'earlier paths of the API, which answer 410 api_moved'),
  setting('trustedProxies', 'list', 'none', 'addresses of proxies that name the client'),
  {
    ...setting('proxyHeader', 'choice', 'x-forwarded-for', 'the header in which they name it'),
    choices: ['x-forwarded-for', 'forwarded'],
  },
  {
    ...setting('rateLimit', 'count', '60000 beyond loopback', 'requests a minute by one address or token'),
    least: 0,
    most: 1_000_000,
  },
  {
    ...setting(
      'connectionsPerAddress',
      'count',
      '512 beyond loopback',
      'open connections of one address, by each worker',
    ),
    least: 0,
    most: 100_000,
  },
  {
    ...setting(
      'streamsPerAddress',
      'count',
      '128 beyond loopback',
      'open event streams of one address, by each worker',
    ),
    least: 0,
    most: 100_000,
  },
  {
    ...setting('maxStreams', 'count', '2000', 'open event streams of all, by each worker'),
    most: 100_000,
  },
  {
    ...setting('robots', 'choice', 'all', 'what robots.txt lets crawlers walk'),
    choices: ['all', 'page', 'none'],
  },
  {
    ...setting('training', 'choice', 'allow', 'what robots.txt says to collectors of training data'),
    choices: ['allow', 'refuse'],
  },
  {
    ...setting('logFormat', 'choice', 'text on a terminal, else json', 'how the log of serve is written'),
    choices: ['json', 'text'],
    notInFile: true,
  },
  truth('accessLog', 'true if the log is json', 'log every request'),
  truth('changes', 'true', 'serve what changes in the world'),
  {
    ...setting('retentionDays', 'count', '90', 'days that deletions are remembered'),
    most: 36_500,
  },
  truth('pages', 'true', 'serve pages that need no script'),
  truth('downloads', 'true', 'serve the world and its types as files'),
  {
    ...setting('downloadSpace', 'count', '10000', 'megabytes that those files may take'),
    most: 100_000_000,
  },
  {
    ...text('search', 'the index in the store', 'where searches are answered, as opensearch://HOST/INDEX'),
    notInFile: true,
  },
  text('meaningModel', 'none', 'the folder of a sentence model that also ranks hits'),
  setting('meaningTypes', 'list', 'none', 'types whose hits it ranks'),
  truth('readOnly', 'false', 'serve the store as it is, and write nothing'),
  truth('operator', 'false', 'serve the operator API to tokens'),
  truth('private', 'false', 'reads need a token'),
  truth('watch', 'true', 'load definition and sources again when they change'),
  {
    ...setting('onInvalid', 'choice', 'reject', 'what happens to records that break their schema'),
    choices: ['reject', 'warn', 'stop'],
  },
  { ...text('follow', 'none', 'the origin of a world to copy and serve'), notInFile: true },
  { ...text('token', 'none', 'sent with requests to worlds that need one'), secret: true, notInFile: true },
  { ...setting('tokenOrigin', 'list', 'none', 'other origins that their API may be on'), notInFile: true },
] as const

/** All settings, in the order in which they are shown. */
export const SETTINGS: readonly Setting[] = ALL

/** The type of each setting's value, by name. */
export type SettingValues = {
  readonly [S in (typeof ALL)[number] as S['name']]: S extends { choices: readonly (infer Choice)[] }
    ? Choice
    : Values[S['kind']]
}

interface Values {
  text: string
  truth: boolean
  port: number
  count: number
  choice: string
  list: readonly string[]
}

/** Settings that a definition may hold. */
export type DefinedSettings = Partial<
  Omit<SettingValues, Extract<(typeof ALL)[number], { notInFile: true }>['name']>
>

function setting<Name extends string, Kind extends SettingKind>(
  name: Name,
  kind: Kind,
  fallback: string,
  description: string,
) {
  return { name, kind, fallback, description }
}

function text<Name extends string>(name: Name, fallback: string, description: string) {
  return setting(name, 'text', fallback, description)
}

function truth<Name extends string>(name: Name, fallback: string, description: string) {
  return setting(name, 'truth', fallback, description)
}

/** The value given for a setting, before defaults apply. */
export type SettingValue = string | number | boolean | readonly string[]

/** Treatment of records that break their schema. */
export type OnInvalid = 'reject' | 'warn' | 'stop'

/** `publicUrl` as the environment spells it: `WORLD_PUBLIC_URL`. */
export function environmentName(name: string): string {
  return `WORLD_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}

/** `publicUrl` as the command line spells it: `--public-url`. */
export function flagName(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** Parses the text of a setting from the environment or a flag; returns its value or a fault. */
export function settingFromText(setting: Setting, text: string): { value: SettingValue } | { fault: string } {
  switch (setting.kind) {
    case 'truth':
      if (text === 'true' || text === '1') return { value: true }
      if (text === 'false' || text === '0') return { value: false }
      return { fault: 'is true or false' }
    case 'port':
      if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return { value: Number(text) }
      return { fault: 'is a whole number from 0 to 65535' }
    case 'count':
      return countFrom(text, setting)
    case 'choice':
      if (setting.choices?.includes(text)) return { value: text }
      return { fault: `is one of ${setting.choices?.join(', ')}` }
    case 'list':
      return { value: text.split(',').filter((part) => part !== '') }
    case 'text':
      return { value: text }
  }
}

/** Default maximum of a count. */
const MOST_COUNT = 999

function countFrom(
  text: string,
  { least = 1, most = MOST_COUNT }: Pick<Setting, 'least' | 'most'>,
): { value: number } | { fault: string } {
  const value = Number(text)
  if (/^(?:0|[1-9]\d{0,8})$/.test(text) && value >= least && value <= most) return { value }
  return { fault: `is a whole number from ${least} to ${most}` }
}

/** Formats a value for display; secrets, and passwords in addresses, are masked. */
export function shownSetting(setting: Setting, value: SettingValue): string {
  const text = String(value)
  if (setting.secret) return MASK
  return text.replace(/(:\/\/[^/:@\s]*:)[^@\s]*@/g, `$1${MASK}@`)
}

const MASK = '********'
