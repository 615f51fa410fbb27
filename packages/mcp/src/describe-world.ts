/** The tool `describe_world`: what a world has, and the card of one type. */
import type { EntityTypeDescription, JsonValue } from '@worldwright/client/protocol'
import { type Attribute, attributesOf, type OpenWorld } from './agent-world.ts'
import type { Answer } from './answer.ts'
import { unknownType } from './faults.ts'
import { callText, quoted, valueText, word } from './text.ts'
import { type Asked, type Tool, textOf } from './tool.ts'
import { type Seen, seenOf } from './type-values.ts'

/** Maximum number of attribute names listed of a type in the overview. */
const MAX_NAMES = 24

/** Describes the world, or one type with units, examples and counts. */
export const describeWorld: Tool = {
  name: 'describe_world',
  description:
    'Types and their attributes. With type: units, meanings, examples and counts of each attribute.',
  properties: { type: { type: 'string' } },
  isSafe: true,
  answer(asked) {
    const type = textOf(asked.args['type'])
    return type === undefined ? overview(asked) : typeCard(asked, type)
  },
}

async function overview({ on, signal }: Asked): Promise<Answer> {
  const { title, description, types, actions, withheld } = on
  const counted = await on.world.discover({ limit: 0 }, { signal }).catch(() => undefined)
  const total = typeof counted?.total === 'number' ? `, ${counted.total} entities` : ''
  const about = [title, description].filter((text) => text !== undefined).map((text) => quoted(text, 400))
  return {
    head: [
      `${types.length} types${total}. Each line: type, number of entities, title, attributes (→ references).`,
    ],
    rows: [
      ...(about.length > 0 ? [about.join(': ')] : []),
      ...types.map((type) => typeText(type, counted?.counts?.[type.type])),
      ...actions.map(({ name, title }) => `action ${word(name)}${title ? ` ${quoted(title, 100)}` : ''}`),
    ],
    tail: (shown) => [
      ...(withheld.length > 0
        ? [
            `Not offered without a token and an idempotency key: ${withheld.map((name) => word(name)).join(', ')}`,
          ]
        : []),
      ...(types[0] ? [`One type: ${callText('describe_world', { type: typeAt(types, shown) })}`] : []),
    ],
  }
}

/** Returns the first type that was not shown, or else the first one. */
function typeAt(types: OpenWorld['types'], shown: number): string | undefined {
  return (types[shown - 1] ?? types[0])?.type
}

function typeText(type: EntityTypeDescription, count: number | undefined): string {
  const attributes = attributesOf(type)
  const names = attributes
    .slice(0, MAX_NAMES)
    .map(({ name, refersTo }) => word(name, 60) + (refersTo.length > 0 ? '→' : ''))
  const more = attributes.length - names.length
  return [
    word(type.type),
    ...(count === undefined ? [] : [count]),
    ...(typeof type.title === 'string' ? [quoted(type.title, 60)] : []),
    `${names.join(', ')}${more > 0 ? `, … ${more} more` : ''}`,
  ].join(' ')
}

/** Returns the card of a type: an attribute on each line. @throws ToolFault for an unknown type */
export async function typeCard(asked: Asked, name: string): Promise<Answer> {
  const { on } = asked
  const type = on.types.find((one) => one.type === name)
  if (type === undefined) throw unknownType(on, name, 'describe_world')
  const declared = attributesOf(type)
  const { total, values } = await seenOf(asked, name, declared)
  const names = new Set([...declared.map((one) => one.name), ...values.keys()])
  const rows = [...names].map((name) =>
    attributeText(
      name,
      declared.find((one) => one.name === name),
      values.get(name),
    ),
  )
  const about = [type.title, type.description].filter((text) => typeof text === 'string')
  return {
    head: [
      `${word(name)}${total === undefined ? '' : `, ${total} entities`}. Each line: attribute, kind, unit, meaning, number of entities with it, examples.`,
    ],
    rows: [...(about.length > 0 ? [about.map((text) => quoted(text, 300)).join(': ')] : []), ...rows],
    tail(shown) {
      const left = rows.length + (about.length > 0 ? 1 : 0) - shown
      const call = callText('describe_world', { type: name, budget: 8000 })
      return left > 0 ? [`${left} more attributes: ${call}`] : []
    },
  }
}

function attributeText(name: string, declared: Attribute | undefined, seen: Seen | undefined): string {
  const { kind, unit, description, values, refersTo = [] } = declared ?? {}
  const references = refersTo.length > 0 ? `→ ${refersTo.map((type) => word(type)).join('|')}` : (kind ?? '')
  const examples =
    values && values.length <= 12
      ? { list: values as JsonValue[], label: 'one of' }
      : { list: seen?.examples ?? [], label: 'e.g.' }
  return [
    word(name, 80),
    references.replace('list of object', 'list').replace(/^object (?=→)/, ''),
    ...(unit === undefined ? [] : [`in ${word(unit, 40)}`]),
    ...(description === undefined ? [] : [quoted(description, 140)]),
    ...(seen?.count === undefined ? [] : [`×${seen.count}`]),
    ...(seen?.range === undefined ? [] : [`${seen.range}`]),
    ...(examples.list.length > 0
      ? [`${examples.label} ${examples.list.map((one) => valueText(one, 60)).join(', ')}`]
      : []),
  ]
    .filter((part) => part !== '')
    .join(' ')
}
