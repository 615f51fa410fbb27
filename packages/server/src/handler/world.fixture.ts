import { createMemoryStorage } from '../storage/memory.ts'
import { createWorld, type WorldOptions } from './handler.ts'
import type { WorldRequest } from './http.ts'

/** What the test worlds are. */
export const DESCRIPTION = {
  id: 'urn:uuid:6f0c2a3e-0000-4000-8000-000000000001',
  name: 'Sol',
  types: [
    { type: 'sol:planet', title: 'Planet' },
    { type: 'sol:moon', title: 'Moon' },
  ],
}
/** Where their API stands. */
export const API = '/api/world/v0'
/** Their public origin. */
export const ORIGIN = 'https://sol.example'

/** A world of six moons in memory, and a way to send it requests. */
export async function sol(options: WorldOptions = { publicUrl: ORIGIN }) {
  const storage = createMemoryStorage({ now: () => new Date('2026-03-01T09:00:00Z') })
  const moons = ['callisto', 'europa', 'ganymede', 'io', 'a/b c', '火'].map((id) => ({
    put: { type: 'sol:moon', id, title: id.toUpperCase(), attributes: { massKg: 4.8e22 } },
  }))
  await storage.write(moons)
  const handler = createWorld(DESCRIPTION, storage, options)
  const send = async (
    method: string,
    target: string,
    headers: Record<string, string> = {},
    body?: string,
  ) => {
    const request: WorldRequest = {
      method,
      target,
      headers,
      ...(body === undefined ? {} : { body: pieces(body) }),
    }
    const response = await handler.handle(request)
    const bytes = response.body as Uint8Array | undefined
    const text = bytes === undefined ? '' : Buffer.from(bytes).toString()
    return { ...response, text, json: () => JSON.parse(text) }
  }
  return { send, storage, handler }
}

async function* pieces(body: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(body)
}

/** The header every action needs. */
export const JSON_TYPE = { 'content-type': 'application/json' }
