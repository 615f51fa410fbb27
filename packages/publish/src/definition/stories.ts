/** Reads the stories of a world: the Markdown files in a folder beside its definition. */
import { isUtf8 } from 'node:buffer'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '@worldwright/client/protocol'
import { AttachedFiles } from '@worldwright/extensions/attachments'
import { readStory, type Story, type StoryFault } from '@worldwright/extensions/stories'
import { FRONT_MATTER } from '../formats/markdown/markdown-records.ts'
import { parseYaml, YamlFault } from '../formats/yaml/yaml-text.ts'
import { DefinitionFault, type DefinitionProblem } from './definition.ts'

/** Name of the folder of stories, beside the definition. */
export const STORIES_FOLDER = 'stories'

/** Maximum number of stories, and of bytes of one, which is more than its maximum of characters needs. */
const MOST_STORIES = 200
const MOST_BYTES = 250_000
/** Matches the names of files that can be the last component of a path without encoding, in any script. */
const FILE_NAME = /^([\p{L}\p{N}][\p{L}\p{M}\p{N}_-]{0,79})\.md$/u

/** Returns the path of the file of a story. */
export function storyFile(folder: string, name: string): string {
  return join(folder, STORIES_FOLDER, `${name}.md`)
}

/**
 * Returns the stories of the world in a folder, in ascending order of their names; empty if it has none.
 * @throws DefinitionFault with all faults that no change of the data can mend
 */
export async function readStories(folder: string): Promise<readonly Story[]> {
  const listed = await readdir(join(folder, STORIES_FOLDER)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const files = listed.filter((name) => name.endsWith('.md') && !name.startsWith('.')).sort()
  const stories: Story[] = []
  const problems: DefinitionProblem[] = []
  for (const [at, name] of files.entries()) {
    const read =
      at < MOST_STORIES
        ? await storyIn(folder, name)
        : [fault(`is number ${at + 1}; a world has at most ${MOST_STORIES} stories`)]
    if ('title' in read) stories.push(read)
    else
      problems.push(...read.map((one) => ({ file: join(folder, STORIES_FOLDER, name), pointer: '', ...one })))
  }
  if (problems.length > 0) throw new DefinitionFault(problems)
  return stories
}

async function storyIn(folder: string, file: string): Promise<Story | readonly StoryFault[]> {
  const [, name] = FILE_NAME.exec(file) ?? []
  if (name === undefined) return [fault('the name of a story has letters, digits, - and _, at most 80')]
  // Nothing outside the folder of the world becomes a page.
  const found = await new AttachedFiles(folder).find([STORIES_FOLDER, file])
  if (found === undefined || found.size > MOST_BYTES)
    return [fault(`is no file of at most ${MOST_BYTES} bytes in the folder of the world`)]
  const bytes = await readFile(found.path)
  if (!isUtf8(bytes)) return [fault('is not UTF-8')]
  const text = bytes.toString().replace(/^\uFEFF/, '')
  const [whole = '', yaml = ''] = FRONT_MATTER.exec(text) ?? []
  try {
    // The line of `---` stays, so that lines are those of the file.
    const { value, lineOf } = parseYaml(`\n${yaml}`)
    const head = value ?? {}
    if (!isObject(head)) return [fault('front matter is a mapping of names to values')]
    const wrong = Object.keys(head).find((one) => typeof head[one] !== HEAD[one])
    if (wrong !== undefined)
      return [fault('front matter has title and description, texts, and featured, true', lineOf([wrong]))]
    const { featured, ...words } = head
    const blank = whole.replace(/[^\n]+/g, '')
    const read = readStory(blank + text.slice(whole.length), { ...words, isFeatured: featured === true })
    return 'title' in read ? { ...read, name: name.normalize('NFC') } : read
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error
    return error.problems
  }
}

function fault(message: string, line = 1): StoryFault {
  return { line, message }
}

/** Members of front matter, with the types of their values. */
const HEAD: Readonly<Record<string, string>> = { title: 'string', description: 'string', featured: 'boolean' }
