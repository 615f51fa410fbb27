/**
 * A discovery document as a TypeScript file.
 */
import type { DiscoveryDocument } from '@worldwright/client'
import { commentOf, nameOf, typeOf } from './schema-text.ts'

/** The text of a `world.d.ts`: the same for the same document, whatever the order of its lists. */
export function worldText(document: DiscoveryDocument): string {
  const entities = sorted(document.entityTypes, 'type').map(([name, one]) =>
    member(name, one, typeOf(one['schema'], '    ')),
  )
  // What every world has, the client knows by itself.
  const actions = sorted(document.actions, 'name')
    .filter(([name]) => name !== 'wp:discover')
    .map(([name, one]) => {
      const input = typeOf(one['inputSchema'], '      ')
      const output = typeOf(one['outputSchema'], '      ')
      return member(
        name,
        one,
        `{\n      input: ${input === 'JsonValue' ? 'object' : input}\n      output: ${output}\n    }`,
      )
    })
  const body = `export interface Types {\n  entities: ${members(entities)}\n  actions: ${members(actions)}\n}\n`
  const head = '// Written by `npx worldwright types`: write it anew instead of changing it.\n'
  const imports = body.includes('JsonValue') ? "import type { JsonValue } from '@worldwright/client'\n\n" : ''
  return `${head}${imports}/** Entities and actions of this world: \`connect<Types>(origin)\`. */\n${body}`
}

function member(name: string, described: unknown, type: string): string {
  return `${commentOf(described, '    ')}    ${nameOf(name)}: ${type}\n`
}

function members(lines: string[]): string {
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}  }`
}

/** The members of a list that have a name, by it. Nothing in another's document can be relied on. */
function sorted(list: unknown, key: string): [string, Record<string, unknown>][] {
  const named = Array.isArray(list) ? list.filter((one) => typeof one?.[key] === 'string') : []
  const byName = new Map<string, Record<string, unknown>>(named.map((one) => [one[key], one]))
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1))
}
