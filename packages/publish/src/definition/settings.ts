/**
 * Settings of a world, in one list from which three spellings are derived: `publicUrl` in the definition, `WORLD_PUBLIC_URL`
 * in the environment, and `--public-url` on the command line.
 */

/** Kind of value that a setting accepts. */
export type SettingKind = 'text' | 'truth' | 'port' | 'count' | 'choice' | 'list'

/** One setting, as used in the definition, in the environment and as a flag. */
export interface Setting {
  /** Name as spelled in the definition. */
  readonly name: string
  readonly kind: SettingKind
  /** Default value, or a description of the default if it depends on something else. */
  readonly fallback: string
  readonly description: string
  readonly choices?: readonly string[]
  /** Minimum of a count. Defaults to 1. If it is 0, a count of 0 disables the limit. */
  readonly least?: number
  /** Maximum of a count. Defaults to 999. */
  readonly most?: number
  /** Set if the value is masked wherever it is shown. */
  readonly secret?: true
  /** Set if a definition must not contain the setting, because definitions are shared and tokens are not. */
  readonly notInFile?: true
}

const ALL = [
  text(
    'store',
    'sqlite:world.db beside the definition',
    'the store, as sqlite:FILE or postgres://USER@HOST/DATABASE',
  ),
  text('host', '127.0.0.1', 'address to listen on'),
  setting('port', 'port', '8080', 'port to listen on, 0 for any free one'),
  setting('workers', 'count', 'one for each core', 'number of processes that answer requests'),
  setting('adminPort', 'port', 'none', 'port for health checks and metrics, 0 for any free one'),
  text('adminHost', '127.0.0.1', 'address for health checks and metrics'),
  count('maxLag', 'none', 'maximum replication lag, in seconds, at which a replica is still ready', 86_400),
  text('publicUrl', 'the address it listens on', 'the origin that clients use'),
  text('apiUrl', '/api/world/v0 below publicUrl', 'URL of the API, if it is not below the origin'),
  truth('trustProxy', 'false', 'take the origin from headers of the reverse proxy'),
  setting('retiredApiPaths', 'list', 'none', 'former paths of the API, which answer 410 api_moved'),
  setting('trustedProxies', 'list', 'none', 'addresses and networks of proxies trusted to name the client'),
  choice('proxyHeader', 'x-forwarded-for', 'the header in which trusted proxies name the client', [
    'x-forwarded-for',
    'forwarded',
  ]),
  count(
    'rateLimit',
    '60000 beyond loopback',
    'maximum requests per minute of one address or token',
    1_000_000,
    0,
  ),
  count(
    'connectionsPerAddress',
    '512 beyond loopback',
    'maximum open connections of one address, in each worker',
    100_000,
    0,
  ),
  count(
    'streamsPerAddress',
    '128 beyond loopback',
    'maximum open event streams of one address, in each worker',
    100_000,
    0,
  ),
  count('maxStreams', '2000', 'maximum open event streams of all clients, in each worker', 100_000),
  choice('robots', 'all', 'access that robots.txt grants to crawlers', ['all', 'page', 'none']),
  choice('training', 'allow', 'access that robots.txt grants to crawlers for training data', [
    'allow',
    'refuse',
  ]),
  {
    ...choice('logFormat', 'text on a terminal, else json', 'format of the log of serve', ['json', 'text']),
    notInFile: true,
  },
  truth('accessLog', 'true if the log is json', 'log every request'),
  truth('changes', 'true', 'serve the changes of the world'),
  count('retentionDays', '90', 'retention of deletions, in days', 36_500),
  truth('pages', 'true', 'serve pages that need no JavaScript'),
  setting('embed', 'list', 'none', 'origins whose pages may frame views, or * for any'),
  truth('downloads', 'true', 'serve the world, and each type, as a file to download'),
  count('downloadSpace', '10000', 'maximum disk space of downloads, in megabytes', 100_000_000),
  truth('mcp', 'false', 'serve the world to agents as tools, at /mcp'),
  {
    ...text('search', 'the index in the store', 'the search index, as opensearch://HOST/INDEX'),
    notInFile: true,
  },
  text('meaningModel', 'none', 'the folder of a sentence model that also ranks hits'),
  setting('meaningTypes', 'list', 'none', 'types whose hits the sentence model ranks'),
  truth('readOnly', 'false', 'serve the store without writing to it'),
  truth('operator', 'false', 'serve the operator API to clients with a token'),
  truth('private', 'false', 'require a token for reading'),
  truth('watch', 'true', 'reload the definition and the sources when they change'),
  choice('onInvalid', 'reject', 'treatment of records that violate their schema', ['reject', 'warn', 'stop']),
  { ...text('follow', 'none', 'the origin of an upstream world, to serve a replica of it'), notInFile: true },
  {
    ...text(
      'seed',
      'none',
      'a backup of another node, as a file or an address, from which a new node starts',
    ),
    secret: true,
    notInFile: true,
  },
  { ...text('token', 'none', 'the token for worlds that need one'), secret: true, notInFile: true },
  {
    ...setting('tokenOrigin', 'list', 'none', 'other origins to which the token may be sent'),
    notInFile: true,
  },
] as const

/** All settings, in the order in which they are shown. */
export const SETTINGS: readonly Setting[] = ALL

/** Types of the settings' values, by name. */
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

/** Settings that a definition may contain. */
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

function count<Name extends string>(
  name: Name,
  fallback: string,
  description: string,
  most: number,
  least = 1,
) {
  return { ...setting(name, 'count', fallback, description), least, most }
}

function choice<Name extends string, const Choices extends readonly string[]>(
  name: Name,
  fallback: string,
  description: string,
  choices: Choices,
) {
  return { ...setting(name, 'choice', fallback, description), choices }
}

function truth<Name extends string>(name: Name, fallback: string, description: string) {
  return setting(name, 'truth', fallback, description)
}

/** Value given for a setting, before defaults apply. */
export type SettingValue = string | number | boolean | readonly string[]

/** Treatment of records that violate their schema. */
export type OnInvalid = 'reject' | 'warn' | 'stop'

/** Returns the environment variable for a setting: `WORLD_PUBLIC_URL` for `publicUrl`. */
export function environmentName(name: string): string {
  return `WORLD_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}

/** Returns the flag for a setting: `--public-url` for `publicUrl`. */
export function flagName(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** Parses the text of a setting from the environment or a flag. Returns its value or a fault. */
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

/** Formats a value for display, masking secrets and passwords in addresses. */
export function shownSetting(setting: Setting, value: SettingValue): string {
  const text = String(value)
  if (setting.secret) return MASK
  return text.replace(/(:\/\/[^/:@\s]*:)[^@\s]*@/g, `$1${MASK}@`)
}

const MASK = '********'
