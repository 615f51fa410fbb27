/** Failures in words that name a call that would have worked. */
import { isWorldError, type WorldError } from '@worldwright/client'
import { Cql2SyntaxError } from '@worldwright/client/cql2'
import { propertiesIn } from '@worldwright/client/query'
import { attributesOf } from './agent-world.ts'
import { namedProperties } from './named-properties.ts'
import { listed, quoted, valueText, word } from './text.ts'
import { type Asked, ToolFault, textsOf } from './tool.ts'

/** Returns the fault of a type that the world does not list. */
export function unknownType({ on, args, call }: Asked, type: string, tool: string): ToolFault {
  const names = on.types.map((one) => one.type)
  const [best] = nearest(type, names)
  const corrected = 'types' in args ? { ...args, types: [best] } : { ...args, type: best }
  const works = best === undefined ? call('describe_world', {}) : call(tool, corrected)
  return new ToolFault(`There is no type ${word(type, 80)}. Types: ${listed(names)}. This works: ${works}`)
}

/** Throws the fault of a type among the arguments that the world does not list, if there is one. @throws ToolFault */
export function refuseUnlisted(asked: Asked, tool: string): void {
  const { on, args } = asked
  const known = new Set(on.types.map(({ type }) => type))
  const type = [args['type'], args['types']].flat().find((one) => typeof one === 'string' && !known.has(one))
  if (type !== undefined) throw unknownType(asked, String(type), tool)
}

/** Returns up to three names that share most pairs of letters with `name`, the nearest first. */
function nearest(name: string, names: readonly string[]): string[] {
  const pairs = (text: string) =>
    new Set([...text.toLowerCase()].map((letter, at, all) => letter + all[at + 1]))
  const own = pairs(name)
  const likeness = (other: string) =>
    (2 * own.intersection(pairs(other)).size) / (own.size + pairs(other).size)
  const near = names.filter((other) => likeness(other) > 0.4)
  return near.sort((one, other) => likeness(other) - likeness(one)).slice(0, 3)
}

/** Returns what a failed call tells the agent. */
export async function faultText(error: unknown, tool: string, asked: Asked): Promise<string> {
  if (error instanceof ToolFault) return error.message
  if (error instanceof Cql2SyntaxError) {
    const before = quoted(String(asked.args['where']).slice(0, error.position))
    return `where cannot be read after ${before}: ${error.message} An example: massKg > 1e24 AND title LIKE 'S%'. Names with other signs go in double quotes, texts in single quotes.`
  }
  // An answer of a world may have any form, and what reads it may fail in any way.
  if (!isWorldError(error)) return 'The world answered with something unreadable. Ask in another way.'
  const advice = await adviceFor(error, tool, asked).catch((fault) =>
    fault instanceof ToolFault ? [fault.message] : [],
  )
  return [`${word(error.code)}: ${quoted(error.message, 300)}`, ...advice].join('\n')
}

/** @throws ToolFault for a type that the world does not list */
async function adviceFor(error: WorldError, tool: string, asked: Asked): Promise<string[]> {
  const { on, args } = asked
  const { code, status, details } = error
  // Other worlds have codes of their own.
  if (/type/i.test(code) || status === 404) refuseUnlisted(asked, tool)
  if (status === 404 && args['id'] !== undefined) return similarEntity(tool, asked)
  if (status === 401 || status === 403)
    return [
      on.hasToken ? 'The token does not allow this.' : 'This needs a token, which this server was not given.',
    ]
  const own = on.types.filter(({ type }) => textsOf(args['types']).includes(type)).flatMap(attributesOf)
  const said = propertiesIn(error).map((path) => [path].flat().join('.'))
  const known = said.length > 0 || tool !== 'query' ? said : own.map(({ name }) => name)
  const unknown = namedProperties(args).filter((name) => !known.includes(name))
  const near = new Set(unknown.flatMap((name) => nearest(name, known)))
  const isQuoted = String(args['where']).includes('"') && /another property/.test(error.message)
  if (isQuoted)
    return ["Texts go in single quotes: title = 'Europa'. Double quotes are for names of properties."]
  const close = near.size > 0 ? `Nearest: ${listed([...near])}. ` : ''
  if (known.length > 0 && unknown.length > 0) return [`${close}All: ${listed(known)}`]
  const fields = Array.isArray(details['fields']) ? details['fields'].slice(1, 5) : []
  if (status === 0 || status >= 500) return ['The world could not answer. Try again later.']
  return fields.map(({ pointer, name, message, reason }) =>
    valueText(`${pointer ?? name}: ${message ?? reason}`, 200),
  )
}

async function similarEntity(tool: string, { on, args, signal, call }: Asked): Promise<string[]> {
  const types = [String(args['type'])]
  const text = String(args['id'])
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  const found = await on.world.discover({ types, text, limit: 1 }, { signal }).catch(() => undefined)
  const id = found?.entities[0]?.id
  if (id === undefined) return [`Find its id with: ${call('search', { types, text })}`]
  return [`Perhaps: ${call(tool, { ...args, id })}`]
}
