import type { Answer } from './answer.ts'
import { addressText, listed, quoted, valueText, word } from './text.ts'
import { type Asked, TEXT, TEXTS, type Tool, textsOf } from './tool.ts'

/** Maximum characters of a value, and of one that was asked for by name. */
const [VALUE, LONG_VALUE] = [300, 20_000]

/** Gets one entity by type and id. */
export const getEntity: Tool = {
  name: 'get_entity',
  description: 'All attributes of one entity.',
  properties: { type: TEXT, id: TEXT, fields: TEXTS },
  required: ['type', 'id'],
  answer: got,
}

async function got({ on, args, signal, call }: Asked): Promise<Answer> {
  const [type, id] = [String(args['type']), String(args['id'])]
  const { title, summary, attributes = {} } = await on.world.get(type, id, { signal })
  const fields = textsOf(args['fields'])
  const isNamed = fields.length > 0
  const own = Object.entries({ title, summary }).filter(([, text]) => text !== undefined)
  const values = { ...Object.fromEntries(own), ...attributes }
  const all = Object.keys(attributes)
  const names = isNamed ? fields.filter((name) => Object.hasOwn(values, name)) : all
  const missing = fields.filter((name) => !names.includes(name))
  const texts = isNamed ? [] : own
  const textOf = (name: string, most: number) => valueText(values[name], most)
  const rows = [
    ...texts.map(([name, text]) => `${name}: ${quoted(`${text}`, VALUE)}`),
    ...names.map((name) => `${word(name)}: ${textOf(name, isNamed ? LONG_VALUE : VALUE)}`),
  ]
  return {
    head: addressText({ type, id }),
    rows,
    tail(shown) {
      const isCut = (name: string) => !isNamed && textOf(name, VALUE) !== textOf(name, LONG_VALUE)
      const left = names.filter((name, at) => at + texts.length >= shown || isCut(name)).slice(0, 20)
      return [
        missing.length > 0 && `It has no ${listed(missing)}. It has: ${listed(all)}`,
        left.length > 0 &&
          `Not in full: ${listed(left)}: ${call('get_entity', { type, id, fields: left, budget: 8000 })}`,
      ]
    },
  }
}
