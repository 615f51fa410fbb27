/** Failures in words that name a call that would have worked. */
import { isWorldError, type WorldError } from '@worldwright/client'
import { Cql2SyntaxError } from '@worldwright/client/cql2'
import type { JsonObject } from '@worldwright/client/protocol'
import { propertiesIn } from '@worldwright/client/query'
import type { OpenWorld } from './agent-world.ts'
import { namedProperties } from './named-properties.ts'
import { callText, quoted, word } from './text.ts'
import { type Asked, ToolFault } from './tool.ts'

/** Maximum number of names that a message lists. */
const MAX_NAMES = 30
const MAX_NEAREST = 3

/** Returns the fault of a type that the world does not list. */
export function unknownType({ types }: OpenWorld, type: string, tool: string, args: object = {}): ToolFault {
  const names = types.map((one) => one.type)
  const [best] = nearest(type, names)
  const corrected = 'types' in args ? { ...args, types: [best] } : { ...args, type: best }
  const works = best === undefined ? callText('describe_world', {}) : callText(tool, corrected)
  return new ToolFault(`There is no type ${word(type, 80)}. Types: ${listed(names)}. This works: ${works}`)
}

/** Throws the fault of a type among the arguments that the world does not list, if there is one. @throws ToolFault */
export function refuseUnlisted(on: OpenWorld, tool: string, args: JsonObject): void {
  const type = unlisted(on, args)
  if (type !== undefined) throw unknownType(on, type, tool, args)
}

/** Returns the names most like `name`, the nearest first, among those that share half of its letters. */
export function nearest(name: string, names: readonly string[]): string[] {
  const near = (other: string) => distance(name.toLowerCase(), other.toLowerCase())
  return names
    .map((other) => ({ other, far: other.endsWith(`:${name}`) ? 0 : near(other) }))
    .filter(({ other, far }) => far <= Math.max(name.length, other.length) / 2)
    .sort((one, another) => one.far - another.far)
    .slice(0, MAX_NEAREST)
    .map(({ other }) => other)
}

function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (let to = 0; to < other.length; to++)
      next.push(
        Math.min(
          (next[to] ?? 0) + 1,
          (row[to + 1] ?? 0) + 1,
          (row[to] ?? 0) + (letter === other[to] ? 0 : 1),
        ),
      )
    row = next
  }
  return row.at(-1) ?? 0
}

/** Returns what a failed call tells the agent. Unexpected errors are thrown again. */
export async function faultText(error: unknown, tool: string, asked: Asked): Promise<string> {
  if (error instanceof ToolFault) return error.message
  if (error instanceof Cql2SyntaxError) {
    const before = quoted(String(asked.args['where']).slice(0, error.position))
    return `where cannot be read after ${before}: ${error.message} An example: massKg > 1e24 AND title LIKE 'S%'. Names with other signs go in double quotes, texts in single quotes.`
  }
  if (!isWorldError(error)) throw error
  const advice = await adviceFor(error, tool, asked)
  return [`${word(error.code)}: ${quoted(error.message, 300)}`, ...advice].join('\n')
}

async function adviceFor(error: WorldError, tool: string, asked: Asked): Promise<string[]> {
  const { on, args } = asked
  const { code, status, details } = error
  const type = unlisted(on, args)
  if (type !== undefined && /type/.test(code)) return [unknownType(on, type, tool, args).message]
  if (code === 'entity_not_found') return similarEntities(tool, asked)
  if (status === 401 || status === 403)
    return [
      on.hasToken
        ? 'The token does not allow this.'
        : 'This needs a token, which the server for this world was not given.',
    ]
  const known = propertiesIn(error).map((path) => [path].flat().join('.'))
  if (known.length > 0) {
    const unknown = namedProperties(args).filter((name) => !known.includes(name))
    const near = [...new Set(unknown.flatMap((name) => nearest(name, known)))]
    return [
      near.length > 0 ? `Nearest: ${listed(near)}. All: ${listed(known)}` : `Properties: ${listed(known)}`,
    ]
  }
  const fields = Array.isArray(details['fields']) ? details['fields'].slice(1, 5) : []
  if (fields.length > 0)
    return fields.map(({ pointer, name, message, reason }) =>
      quoted(`${pointer ?? name}: ${message ?? reason}`, 200),
    )
  return status === 0 || status >= 500 ? ['The world could not answer. Try again later.'] : []
}

/** Returns the type among the arguments that the world does not list, if any. */
function unlisted({ types }: OpenWorld, args: JsonObject): string | undefined {
  return [args['type'], args['types']]
    .flat()
    .find((name): name is string => typeof name === 'string' && !types.some((one) => one.type === name))
}

async function similarEntities(tool: string, { on, args, signal }: Asked): Promise<string[]> {
  const type = String(args['type'])
  const text = String(args['id'])
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  const found = await on.world
    .discover({ types: [type], text, limit: MAX_NEAREST }, { signal })
    .catch(() => undefined)
  const [first] = found?.entities ?? []
  if (first === undefined) return [`Find its id with: ${callText('search', { types: [type], text })}`]
  return [`Perhaps: ${callText(tool, { ...args, id: first.id })}`]
}

/** Writes names with commas, at most thirty of them. */
export function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMES
  return `${names
    .slice(0, MAX_NAMES)
    .map((name) => word(name, 80))
    .join(', ')}${more > 0 ? `, … ${more} more` : ''}`
}
