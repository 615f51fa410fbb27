/** Parses the recipes in CONTRIBUTING.md, and follows them in a copy of the repository. */
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { ROOT } from './source-files.ts'

/** A code block in a recipe. */
interface Block {
  readonly kind: 'file' | 'change' | 'commands'
  /** Path of the file that the block creates or changes; empty for commands. */
  readonly path: string
  readonly code: string
}

/** A recipe: a section of CONTRIBUTING.md, with its code blocks and those of the guides to which it links. */
export interface Recipe {
  readonly title: string
  readonly blocks: readonly Block[]
  /** Paths of the files that the recipe creates. */
  readonly created: readonly string[]
  /** Paths of the files that the recipe changes. */
  readonly changed: readonly string[]
  /** Command lines that the recipe runs. */
  readonly commands: readonly string[]
}

/** Kind of a code block by its language. A block in any other language is a whole file. */
const KINDS: Readonly<Record<string, Block['kind']>> = { diff: 'change', sh: 'commands' }
/** Matches a code block, and the line before it that names its file, if any. */
const BLOCK = /(?:^`([^`\n]+)`[^\n]*:\n\n)?^```(\w+)\n(.*?)^```$/gms
const GUIDE = /\]\((docs\/guides\/[^)#]+)\)/g
/** Files and folders that the recipes and their checks need. */
const COPIED = /^(?:packages|test|docs|examples|bench|[^/]+\.(?:json|md)|\.gitignore)$/
/** Matches the folder of a package of this repository. */
const OURS = /^packages\/[^/]+$/
const LEFT_OUT =
  /(?:^|\/)(?:node_modules|dist|venv)$|^test\/(?:readme|examples)-|\.db(?:-wal|-shm|\.downloads)?$/

/** Returns all recipes, in the order in which to follow them. */
export function recipes(): Recipe[] {
  const [, section = ''] = /^## Recipes\n(.*?)^## /ms.exec(read('CONTRIBUTING.md')) ?? []
  return section
    .split(/^### /m)
    .slice(1)
    .map((text) => {
      const guides = [...text.matchAll(GUIDE)].map(([, guide = '']) => read(guide))
      const blocks = [text, ...guides].flatMap(blocksOf)
      const pathsOf = (kind: Block['kind']) =>
        blocks.filter((block) => block.kind === kind).map(({ path }) => path)
      const commands = blocks.filter(({ kind }) => kind === 'commands')
      return {
        title: text.slice(0, text.indexOf('\n')),
        blocks,
        created: pathsOf('file'),
        changed: pathsOf('change'),
        commands: commands.flatMap(({ code }) => code.trimEnd().split('\n')),
      }
    })
}

/** Follows recipes in a copy of the repository. Returns the folder of the copy, which `remove` deletes. */
export function followed(some: readonly Recipe[]): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'worldwright-recipes-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    copyRepository(folder)
    for (const { blocks } of some) for (const block of blocks) follow(folder, block)
  } catch (error) {
    remove()
    throw error
  }
  return { folder, remove }
}

function blocksOf(text: string): Block[] {
  return [...text.matchAll(BLOCK)].map(([, path = '', language = '', code = '']) => ({
    kind: KINDS[language] ?? 'file',
    path,
    code,
  }))
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

function follow(folder: string, { kind, path, code }: Block): void {
  if (kind === 'commands') return
  const file = join(folder, path)
  if (kind === 'change') writeFileSync(file, changed(readFileSync(file, 'utf8'), code, path))
  else {
    if (path === '' || existsSync(file)) throw new Error(`A recipe creates ${path || 'no file'}:\n${code}`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, code)
  }
}

/** Applies the changes in a diff, separated by `@@` lines. The old lines of each must occur exactly once in `text`. */
function changed(text: string, diff: string, path: string): string {
  return diff.split(/^@@.*\n/m).reduce((before, change) => {
    const side = (mark: string) => change.replace(new RegExp(`^\\${mark}.*\n`, 'gm'), '').replace(/^./gm, '')
    const parts = before.split(side('+'))
    if (parts.length !== 2) throw new Error(`A recipe changes lines that ${path} has not once:\n${change}`)
    return parts.join(side('-'))
  }, text)
}

/** Copies sources and documents. Links installed packages, except the repository's own, which come from the copy. */
function copyRepository(folder: string): void {
  for (const name of readdirSync(ROOT).filter((name) => COPIED.test(name)))
    cpSync(join(ROOT, name), join(folder, name), {
      recursive: true,
      filter: (path) => !LEFT_OUT.test(relative(ROOT, path)),
    })
  for (const modules of globSync('{node_modules,node_modules/@worldwright,packages/*/node_modules}', {
    cwd: ROOT,
  }))
    linkModules(folder, modules)
}

function linkModules(folder: string, modules: string): void {
  mkdirSync(join(folder, modules), { recursive: true })
  for (const name of readdirSync(join(ROOT, modules))) {
    if (name === '@worldwright') continue
    const path = relative(ROOT, realpathSync(join(ROOT, modules, name)))
    symlinkSync(join(OURS.test(path) ? folder : ROOT, path), join(folder, modules, name))
  }
}
