/** A worker that serves a world over an API, with an action. */
import { createWorld, toFetch } from '@worldwright/core'
import { defineAction } from '@worldwright/extensions/actions'
import { apiSource } from '../sources/api-source.ts'
import { interpret } from './interpret.ts'

/** A moon in the API, with its gravity in m/s². */
type Item = { readonly id: string; readonly name: string; readonly gravity: number }

const store = apiSource('https://api.sol.example', (type, item) => {
  const { id, name, gravity } = item as Item
  return { type, id, title: name, attributes: { gravity } }
})

const weight = defineAction<{ moon: string; massKg: number }>(
  {
    name: 'sol:weight',
    description: 'The weight of a mass on a moon, in newtons.',
    safe: true,
    inputSchema: {
      type: 'object',
      required: ['moon', 'massKg'],
      properties: { moon: { type: 'string' }, massKg: { type: 'number', minimum: 0 } },
    },
    outputSchema: { type: 'number' },
    async handler({ moon, massKg }, { get, fail }) {
      const entity = await get('sol:moon', moon)
      if (!entity) return fail('sol:no_moon', 'There is no such moon.')
      return Number(entity.attributes['gravity']) * massKg
    },
  },
  interpret,
)

const types = [{ type: 'sol:moon', title: 'Moon' }]
const publicUrl = 'https://sol.example'

/** The module that a worker runtime calls. */
export default {
  fetch: toFetch(createWorld({ id: 'urn:example:sol', types, store, actions: [weight], publicUrl })),
}
