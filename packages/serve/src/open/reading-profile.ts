import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { NAMEABLE, READING, type ReadingProfile } from '@worldwright/client/foreign'
import { type Io, UsageFault } from '../terminal/io.ts'

/** Time limit for fetching a profile, in milliseconds. */
const FETCH_MS = 30_000

/** Loads the profile in a file, or at an http or https URL. @throws UsageFault if there is none, naming its faulty member */
export async function readingProfile(place: string, io: Io): Promise<ReadingProfile> {
  let value: unknown
  try {
    value = JSON.parse(await textAt(place, io))
  } catch (error) {
    if (io.signal.aborted) throw error
    throw new UsageFault(`No reading profile at ${place}: ${(error as Error).message}`)
  }
  const fault = faultIn(value)
  if (fault === undefined) return value as ReadingProfile
  throw new UsageFault(
    `${place} is not a reading profile: ${fault}. Write one with: npx worldwright show ORIGIN --profile`,
  )
}

async function textAt(place: string, { cwd, signal, fetch = globalThis.fetch }: Io): Promise<string> {
  if (!/^https?:\/\//i.test(place)) return readFile(resolve(cwd, place), 'utf8')
  const response = await fetch(place, { signal: AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)]) })
  if (!response.ok) throw new Error(`status ${response.status}`)
  return response.text()
}

/** Returns the fault of a profile with the name of its member, or undefined if there is none. */
function faultIn(value: unknown): string | undefined {
  const { profile, names, proved } = Object(value)
  if (profile !== READING) return `its member profile is not "${READING}"`
  if (Object(names) !== names || Array.isArray(names)) return 'its member names is not an object'
  if (!Array.isArray(proved)) return 'its member proved is not an array'
  const other = [...Object.keys(names), ...proved].find((name) => !NAMEABLE.includes(name))
  if (other !== undefined) return `${JSON.stringify(other)} is none of ${NAMEABLE.join(', ')}`
  const [name] = Object.entries(names).find(([, path]) => typeof path !== 'string') ?? []
  return name && `names.${name} is not a string`
}
