import type { EntityTypeDescription } from '@worldwright/client/protocol'
import { MAX_ACTIONS } from './actions.ts'
import { type Attribute, attributesOf } from './agent-world.ts'
import type { Answer } from './answer.ts'
import { unknownType } from './faults.ts'
import { listed, number, parts, quoted, valueText, word } from './text.ts'
import { type Asked, TEXT, type Tool } from './tool.ts'
import { type Seen, seenOf } from './type-values.ts'

/** Describes the world, or one type with units, examples and counts. */
export const describeWorld: Tool = {
  name: 'describe_world',
  description: 'Types and attributes. With type: units, meanings, examples, counts.',
  properties: { type: TEXT },
  answer: (asked) => (asked.args['type'] ? typeCard(asked, String(asked.args['type'])) : overview(asked)),
}

async function overview({ on, signal, call }: Asked): Promise<Answer> {
  const { title, description, types, actions, withheld } = on
  const counted = await on.world.discover({ limit: 0 }, { signal }).catch(() => undefined)
  const typeText = (type: EntityTypeDescription) => {
    const names = attributesOf(type).map(({ name, refersTo }) => (refersTo.length > 0 ? `${name}→` : name))
    const count = counted?.counts?.[type.type]
    const all = listed(names).replaceAll(/"(\w+→)"/g, '$1')
    return parts(
      word(type.type),
      count !== undefined && number(count),
      type.title && quoted(`${type.title}`, 60),
      all,
    )
  }
  return {
    head: `${types.length} types${entitiesText(counted?.total)}. Each line: type, number of entities, title, attributes (→ references).`,
    rows: [
      ...textRow(title, description),
      ...types.map(typeText),
      ...actions
        .slice(0, MAX_ACTIONS)
        .map(({ name, title = '' }) => `action ${word(name)} ${quoted(`${title}`, 100)}`),
    ],
    tail: (shown) => [
      withheld.length > 0 && `Not offered without a token and an idempotency key: ${listed(withheld, 8)}`,
      actions.length > MAX_ACTIONS &&
        `Actions without a tool here: ${listed(
          actions.slice(MAX_ACTIONS).map(({ name }) => name),
          8,
        )}`,
      types[0] && `One type: ${call('describe_world', { type: (types[shown] ?? types[0]).type })}`,
    ],
  }
}

/** Returns the card of a type: an attribute on each line. @throws ToolFault for an unknown type */
export async function typeCard(asked: Asked, name: string): Promise<Answer> {
  const type = asked.on.types.find((one) => one.type === name)
  if (type === undefined) throw unknownType(asked, name, 'describe_world')
  const declared = new Map(attributesOf(type).map((one) => [one.name, one]))
  const { total, values } = await seenOf(asked, name, [...declared.values()])
  const names = new Set([...declared.keys(), ...values.keys()])
  const rows = [
    ...textRow(type.title, type.description),
    ...[...names].map((one) => attributeText(one, declared.get(one), values.get(one))),
  ]
  const more = asked.call('describe_world', { type: name, budget: 8000 })
  return {
    head: `${word(name)}${entitiesText(total)}. Each line: attribute, kind, unit, meaning, ×number of entities with it, range or examples.`,
    rows,
    tail: (shown) => [shown < rows.length && `${rows.length - shown} more attributes: ${more}`],
  }
}

function entitiesText(count: unknown): string {
  return count === undefined ? '' : `, ${number(count)} entities`
}

function textRow(...texts: unknown[]): string[] {
  const found = texts.filter((text) => typeof text === 'string').map((text) => quoted(text, 400))
  return found.length > 0 ? [found.join(': ')] : []
}

function attributeText(
  name: string,
  declared: Partial<Attribute> = {},
  seen: Seen = { examples: [] },
): string {
  const { kind, unit, description, values = [], refersTo = [] } = declared
  const isEnum = values.length > 0 && values.length <= 12
  const examples = (isEnum ? values : seen.examples).map((one) => valueText(one, 60)).join(', ')
  return parts(
    word(name, 80),
    refersTo.length > 0
      ? `→ ${refersTo.map((type) => word(type, 80)).join('|')}`
      : kind && (/^[\w |-]{1,60}$/.test(kind) ? kind : quoted(kind, 60)),
    unit && `in ${word(unit, 40)}`,
    description && quoted(description, 140),
    seen.count !== undefined && `×${number(seen.count)}`,
    seen.range,
    examples && `${isEnum ? 'one of' : 'e.g.'} ${examples}`,
  )
}
