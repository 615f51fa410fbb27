/** Writes the API reference of every entry of the packages into `docs/api`. A warning of TypeDoc is a failure. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Application } from 'typedoc'

const root = join(import.meta.dirname, '../..')

/** Names of entries, as a program imports them, by source file without `/index` and extension. */
const entries = new Map()
const files = []
for (const path of globSync('packages/*/package.json', { cwd: root }).toSorted()) {
  const { name, exports } = JSON.parse(readFileSync(join(root, path), 'utf8'))
  for (const [entry, { '@worldwright/source': source }] of Object.entries(exports)) {
    if (source === undefined) continue
    const file = join(dirname(path), source)
    files.push(join(root, file))
    entries.set(file.replace(/(\/index)?\.ts$/, ''), name + entry.slice(1))
  }
}

const app = await Application.bootstrap({
  name: 'Worldwright',
  readme: 'none',
  entryPoints: files,
  tsconfig: join(import.meta.dirname, 'tsconfig.json'),
  basePath: root,
  disableSources: true,
})
const project = await app.convert()
if (project !== undefined) {
  for (const module of project.children ?? []) {
    module.name = entries.get(module.name) ?? module.name
  }
  app.validate(project)
  await app.generateDocs(project, join(root, 'docs/api'))
}
if (project === undefined || app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1
