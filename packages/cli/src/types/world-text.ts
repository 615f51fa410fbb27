import type { WorldDescription } from '@worldwright/client/foreign'
import { commentOf, nameOf, typeOf } from './schema-text.ts'

/** Returns the content of `world.d.ts`, whatever the order of the lists in the discovery document. */
export function worldText({ entityTypes, actions: listed }: WorldDescription): string {
  const entities = sorted(entityTypes?.value ?? [], ({ type }) => type).map((one) =>
    member(one.type, one, typeOf(one.schema, '    ')),
  )
  // The client already declares `wp:discover`, which every world has.
  const actions = sorted(listed?.value ?? [], ({ name }) => name)
    .filter(({ name }) => name !== 'wp:discover')
    .map((one) => {
      const input = typeOf(one.inputSchema, '      ')
      const output = typeOf(one.outputSchema, '      ')
      return member(
        one.name,
        one,
        `{\n      input: ${input === 'JsonValue' ? 'object' : input}\n      output: ${output}\n    }`,
      )
    })
  const body = `export interface Types {\n  entities: ${members(entities)}\n  actions: ${members(actions)}\n}\n`
  const head = '// Written by `npx worldwright types`: run it again instead of editing this file.\n'
  const imports = body.includes('JsonValue') ? "import type { JsonValue } from '@worldwright/client'\n\n" : ''
  return `${head}${imports}/** Entities and actions of this world: \`connect<Types>(origin)\`. */\n${body}`
}

function member(name: string, described: unknown, type: string): string {
  return `${commentOf(described, '    ')}    ${nameOf(name)}: ${type}\n`
}

function members(lines: string[]): string {
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}  }`
}

/** Returns the items sorted by name. If several items have the same name, only the last is kept. */
function sorted<T>(list: readonly T[], nameOf: (one: T) => string): T[] {
  const byName = new Map(list.map((one) => [nameOf(one), one]))
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}
