/** A program that uses a client generated from the OpenAPI document of the demo world. Its types are checked. */
import createClient from 'openapi-fetch'
import type { paths } from './sol.d.ts'

const sol = createClient<paths>({ baseUrl: process.argv[2] ?? '' })

const { data, error } = await sol.GET('/api/world/v0/entities/sol%3Amoon/{id}', {
  params: { path: { id: 'europa' } },
})
const axis: number | undefined = data?.attributes.semiMajorAxisKm
const missing = await sol.GET('/api/world/v0/entities/sol%3Amoon/{id}', { params: { path: { id: 'x' } } })
const page = await sol.GET('/api/world/v0/entities/sol%3Aplanet', { params: { query: { limit: 3 } } })
const found = await sol.POST('/api/world/v0/actions/wp%3Adiscover', {
  body: { input: { text: 'red planet', limit: 1 } },
})
const light = await sol.POST('/api/world/v0/actions/sol%3Alight-time', {
  body: { input: { from: { type: 'sol:planet', id: 'earth' }, to: { type: 'sol:planet', id: 'mars' } } },
})

process.stdout.write(
  JSON.stringify({
    axis,
    error,
    missing: missing.error?.code,
    planets: page.data?.entities.map(({ id, attributes }) => [id, attributes.orderFromSun]),
    found: found.data?.output.entities[0]?.id,
    light: light.data?.output.maxSeconds,
  }),
)
