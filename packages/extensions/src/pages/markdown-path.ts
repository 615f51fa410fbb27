/** Paths of Markdown pages: those of HTML pages with `.md` after them. */
import { splitTarget, statusOf, WorldFault } from '@worldwright/core'
import { MARKDOWN_ENDING } from './addresses.ts'

/**
 * Reads what the last component of a request's path names. `.md` at its end asks for Markdown, unless it is encoded, or only
 * the whole component names something.
 */
export async function askedPage<T>(target: string, last: string, read: (name: string) => Promise<T>) {
  if (splitTarget(target).path.endsWith(MARKDOWN_ENDING)) {
    const name = last.slice(0, -MARKDOWN_ENDING.length)
    const found = await read(name).catch((error) => {
      if (!isClientError(error)) throw error
    })
    if (found) return { found, name, isMarkdown: true }
  }
  return { found: await read(last), name: last, isMarkdown: false }
}

/** Reports whether an error is due to the request. */
export function isClientError(error: unknown): error is WorldFault {
  return error instanceof WorldFault && statusOf(error.code) < 500
}
