/** Checks the members of a definition's source for combinations that the schema cannot exclude. */
import { isEncoding } from '../bytes/encoding.ts'
import { DATABASE_KINDS } from '../databases/database.ts'
import { hasPassword, parsedUrl, SCHEMES, VARIABLE } from '../databases/server-address.ts'
import { OPTIONS, unreadOption } from '../formats/contract/unread-option.ts'
import { formatNamed, formatNames, formatsOfFile } from '../formats/formats.ts'
import { parsePath } from '../formats/json/json-path.ts'
import { type Computed, computedFaults } from '../mapping/computed.ts'
import { type Join, joinedColumns } from '../mapping/mapping.ts'

const PLACES = ['file', ...DATABASE_KINDS]
const OF_FILES = ['format', 'encoding', ...OPTIONS]
const OF_DATABASES = ['table', 'query', 'refresh']

/** A fault in a definition, and the path to it. */
export interface CheckFault {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Returns all faults of the source at `path`, which must already conform to the schema. */
export function sourceFaults(source: object, path: CheckFault['path']): CheckFault[] {
  const members: Readonly<Record<string, unknown>> = { ...source }
  const has = (name: string) => Object.hasOwn(members, name)
  const at = (member: string, message: string) => ({ path: [...path, member], message })
  const [place = '', ...others] = PLACES.filter(has)
  if (others.length > 0) {
    const found = [place, ...others].join(' and ')
    return [
      {
        path,
        message: `one of file, sqlite, postgres and mysql says where records come from; this has ${found}`,
      },
    ]
  }
  const isFile = place === 'file'
  const faults = (isFile ? OF_DATABASES : OF_FILES)
    .filter(has)
    .map((name) => at(name, isFile ? 'is for databases' : 'is for files'))
  const { format, encoding, records, header } = members
  if (!isFile && has('table') === has('query'))
    faults.push(at(place, 'a database needs either table or query'))
  const wrong = place in SCHEMES ? addressFault(String(members[place]), place) : undefined
  if (wrong !== undefined) faults.push(at(place, wrong))
  if (format !== undefined && formatNamed(String(format)) === undefined)
    faults.push(at('format', `must be one of ${formatNames().join(', ')}`))
  if (encoding !== undefined && !isEncoding(String(encoding)))
    faults.push(at('encoding', 'is no encoding that can be read, such as windows-1252 or utf-16le'))
  if (records !== undefined && parsePath(String(records)) === undefined)
    faults.push(at('records', 'is no path, such as $.features[*] or $.data.items'))
  const said = format ?? (records === undefined ? '' : 'json')
  const formats = [formatNamed(String(said)) ?? formatsOfFile(String(members['file']))].flat()
  const unread = formats.length === 0 ? undefined : unreadOption(members, formats)
  if (isFile && unread) faults.push(at(unread.option, unread.message))
  for (const { name, message } of computedFaults((members['compute'] ?? {}) as Computed))
    faults.push({ path: [...path, 'compute', name], message })
  if (header !== undefined && has('skip')) faults.push(at('skip', 'contradicts header. Remove one of them'))
  if (Array.isArray(header) && header[0] >= header[1])
    faults.push(at('header', 'names the upper row first, such as [2, 3]'))
  return [...faults, ...joinFaults(members['join'] as readonly Join[] | undefined, path)]
}

/** Returns faults of joined files, and of names that a join adds although a column of the source has them. */
function joinFaults(joins: readonly Join[] = [], path: CheckFault['path']): CheckFault[] {
  const taken = new Set<string>()
  return joins.flatMap((join, index) => {
    const at = [...path, 'join', index]
    for (const own of Object.keys(join.where)) taken.add(own)
    const repeated = joinedColumns(join).flatMap(([name, column], place) => {
      if (!taken.has(name)) return taken.add(name) && []
      const message = `${name} is another column, too. Name it otherwise, such as {other_${name}: ${column}}`
      return [{ path: [...at, 'columns', Array.isArray(join.columns) ? place : name], message }]
    })
    return [...sourceFaults(join, at), ...repeated]
  })
}

function addressFault(address: string, place: string): string | undefined {
  if (VARIABLE.test(address)) return undefined
  const url = parsedUrl(address)
  if (url === undefined || !SCHEMES[place]?.includes(url.protocol))
    return `is a URL such as ${place}://user@host/database, or $NAME`
  if (!hasPassword(url)) return undefined
  return 'holds a password. Put the URL into an environment variable, and write its name as $NAME'
}
