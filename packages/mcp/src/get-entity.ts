/** The tool `get_entity`: one entity, attribute by attribute. */
import type { Answer } from './answer.ts'
import { addressText, callText, quoted, valueText, word } from './text.ts'
import { type Asked, TEXTS, type Tool, textsOf } from './tool.ts'

/** Maximum characters of a value, unless it was asked for by name. */
const VALUE = 300
/** Maximum characters of a value that was asked for by name. */
const LONG_VALUE = 20_000

/** Gets one entity by type and id. */
export const getEntity: Tool = {
  name: 'get_entity',
  description: 'All attributes of one entity.',
  properties: { type: { type: 'string' }, id: { type: 'string' }, fields: TEXTS },
  required: ['type', 'id'],
  isSafe: true,
  answer: got,
}

async function got({ on, args, signal }: Asked): Promise<Answer> {
  const [type, id] = [String(args['type']), String(args['id'])]
  const entity = await on.world.get(type, id, { signal })
  const { title, summary, attributes = {} } = entity
  const fields = textsOf(args['fields'])
  const isNamed = fields.length > 0
  const names = isNamed ? fields.filter((name) => name in attributes) : Object.keys(attributes)
  const rows = [
    ...(title === undefined || isNamed ? [] : [`title: ${quoted(title)}`]),
    ...(summary === undefined || isNamed ? [] : [`summary: ${quoted(summary, VALUE)}`]),
    ...names.map((name) => `${word(name)}: ${valueText(attributes[name], isNamed ? LONG_VALUE : VALUE)}`),
  ]
  const absent = fields.filter((name) => !(name in attributes))
  const own = rows.length - names.length
  return {
    head: [
      addressText({ type, id }),
      ...(absent.length > 0 ? [`has no ${absent.map((name) => word(name)).join(', ')}`] : []),
    ],
    rows,
    tail(shown) {
      const isShort = (name: string) => !isNamed && rows[own + names.indexOf(name)]?.endsWith('…"') === true
      const left = names.filter((name, at) => at + own >= shown || isShort(name))
      if (left.length === 0) return []
      const call = { type, id, fields: left.slice(0, 20), budget: 8000 }
      return [`Not in full: ${left.map((name) => word(name)).join(', ')}: ${callText('get_entity', call)}`]
    },
  }
}
