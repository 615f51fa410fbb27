import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { AttachedFiles } from '@worldwright/extensions/attachments'
import type { Look, LookFile } from '@worldwright/extensions/pages'
import { DefinitionFault, type DefinitionFile } from './definition.ts'

/** Maximum size of a picture, in bytes. Each process keeps it in memory. */
const MOST_BYTES = 1_000_000
/** Patterns of the first bytes of pictures, as Latin-1. */
const KINDS: readonly (readonly [mediaType: string, head: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF.{4}WEBP/s],
  ['image/avif', /^.{4}ftypavi[fs]/s],
  ['image/svg+xml', /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)?<svg[\s>]/],
]

/** Returns the look of a world with the bytes of its files. @throws DefinitionFault for a file that is no picture */
export async function readLook({ definition, file, folder }: DefinitionFile): Promise<Look> {
  const { look = {}, tiles } = definition
  const read = async (name: 'picture' | 'logo'): Promise<LookFile | undefined> => {
    const path = look[name]
    if (path === undefined) return undefined
    const found = await new AttachedFiles(folder).find(path.split('/'))
    const bytes = found && found.size <= MOST_BYTES ? await readFile(found.path) : undefined
    const head = bytes?.subarray(0, 1_000).toString('latin1') ?? ''
    const [mediaType] = KINDS.find(([, pattern]) => pattern.test(head)) ?? []
    if (bytes !== undefined && mediaType !== undefined) {
      const digest = hash('sha256', bytes, 'base64url').slice(0, 12)
      const ending = mediaType.slice('image/'.length).replace('+xml', '')
      return { path: `/_pages/${name}-${digest}.${ending}`, mediaType, bytes }
    }
    const message = `${path} is no picture of at most ${MOST_BYTES} bytes below the folder: PNG, JPEG, GIF, WebP, AVIF or SVG`
    throw new DefinitionFault([{ file, pointer: `/look/${name}`, message }])
  }
  return { picture: await read('picture'), logo: await read('logo'), accent: look.accent, tiles }
}
