/** What a source of a definition has to keep to beyond the schema: what it can be said of what. */
import { isObject } from '@worldwright/client/protocol'
import { isEncoding } from '../read/encoding.ts'
import { parsePath } from '../read/json-path.ts'

const PLACES = ['file', 'sqlite', 'postgres', 'mysql']
const OF_FILES = ['format', 'delimiter', 'quote', 'encoding', 'sheet', 'records']
const OF_DATABASES = ['table', 'query', 'refresh']

/** One thing wrong with a source: with a member, or with all of it. */
export interface SourceProblem {
  readonly member?: string
  readonly message: string
}

/** Everything wrong with a source that keeps to the schema; none for a file's name alone. */
export function sourceFaults(source: unknown): SourceProblem[] {
  if (!isObject(source)) return []
  const has = (name: string) => Object.hasOwn(source, name)
  const places = PLACES.filter(has)
  if (places.length > 1) {
    const found = places.join(' and ')
    return [
      { message: `one of file, sqlite, postgres and mysql says where records come from; this has ${found}` },
    ]
  }
  const [place = ''] = places
  const isFile = place === 'file'
  const faults: SourceProblem[] = (isFile ? OF_DATABASES : OF_FILES)
    .filter(has)
    .map((name) => ({ member: name, message: isFile ? 'is for databases' : 'is for files' }))
  if (!isFile && has('table') === has('query'))
    faults.push({ member: place, message: 'a database needs either table or query' })
  if (place === 'postgres' || place === 'mysql') faults.push(...addressFaults(String(source[place]), place))
  if (has('encoding') && !isEncoding(String(source['encoding'])))
    faults.push({
      member: 'encoding',
      message: 'is no encoding that can be read, such as windows-1252 or utf-16le',
    })
  if (has('records') && parsePath(String(source['records'])) === undefined)
    faults.push({ member: 'records', message: 'is no path, such as $.features[*] or $.data.items' })
  return faults
}

const SCHEMES: Readonly<Record<string, readonly string[]>> = {
  postgres: ['postgres:', 'postgresql:'],
  mysql: ['mysql:', 'mariadb:'],
}

function addressFaults(address: string, place: string): SourceProblem[] {
  if (/^\$[A-Za-z_][A-Za-z0-9_]*$/.test(address)) return []
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !SCHEMES[place]?.includes(url.protocol))
    return [{ member: place, message: `is a URL such as ${place}://user@host/database, or $NAME` }]
  if (url.password === '' && !url.searchParams.has('password')) return []
  const message = 'holds a password. Put the URL into an environment variable, and write its name as $NAME'
  return [{ member: place, message }]
}
