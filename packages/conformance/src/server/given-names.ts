/** Member names of a world that an operator gives: in a list, or in the file or at the URL of a reading profile. */
import { readFile } from 'node:fs/promises'
import { NAMEABLE, type Names, profileFrom, type ReadingProfile } from '@worldwright/client/foreign'

/** Parses names such as `entities=page.data,cursor=after`. Throws TypeError for an unknown name or any other form. */
export function parseNames(text: string): Names {
  const pairs = text.split(',').map((pair) => {
    const [, key = '', path = ''] = /^([a-zA-Z]+)=(.*)$/.exec(pair.trim()) ?? []
    if (!NAMEABLE.some((name) => name === key))
      throw new TypeError(`Names are given like entities=page.data,cursor=after; this is none: ${pair}`)
    return [key, path] as const
  })
  return Object.fromEntries(pairs)
}

/** Reads a reading profile from a file or an http URL. Throws TypeError if there is none. */
export async function readProfile(place: string): Promise<ReadingProfile> {
  try {
    return profileFrom(JSON.parse(await textAt(place)))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new TypeError(`There is no reading profile at ${place}: ${reason}`)
  }
}

async function textAt(place: string): Promise<string> {
  if (!/^https?:\/\//i.test(place)) return readFile(place, 'utf8')
  const response = await fetch(place, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`the answer is ${response.status}`)
  return response.text()
}

/** Timeout for a profile, in milliseconds. */
const TIMEOUT_MS = 10_000
