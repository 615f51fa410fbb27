/**
 * Packs every package for a registry. The page of a package does not resolve relative links, so links in READMEs become
 * absolute links to files of the repository at `ref`, and manifests name the repository. A release runs this file as a
 * program: `node .ci/pack.ts URL REF FOLDER`.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/** Writes the archives of all packages to `folder`, which must exist. `url` is the address of the repository. */
export function pack(url: string, ref: string, folder: string): void {
  const work = mkdtempSync(join(tmpdir(), 'worldwright-pack-'))
  try {
    run('npm', 'pack', '--loglevel=error', '--workspaces', '--pack-destination', work)
    const folders = readdirSync(work).map((archive) => {
      const to = join(work, archive.replace('.tgz', ''))
      mkdirSync(to)
      run('tar', '-xzf', join(work, archive), '-C', to, '--strip-components=1')
      address(to, url, ref)
      return to
    })
    run('npm', 'pack', '--loglevel=error', '--ignore-scripts', ...folders, '--pack-destination', folder)
  } finally {
    rmSync(work, { recursive: true })
  }
}

function address(folder: string, url: string, ref: string): void {
  const [manifest, readme] = [join(folder, 'package.json'), join(folder, 'README.md')]
  const fields = JSON.parse(readFileSync(manifest, 'utf8'))
  fields.repository.url = `git+${url}.git`
  writeFileSync(manifest, `${JSON.stringify(fields, null, 2)}\n`)
  const here = `${url}/blob/${ref}/${fields.repository.directory}/`
  const absolute = (_: string, link: string) => `](${new URL(link, here)})`
  writeFileSync(readme, readFileSync(readme, 'utf8').replace(/\]\(([^)#][^)]*)\)/g, absolute))
}

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}

if (import.meta.main) {
  const [url = '', ref = '', folder = ''] = process.argv.slice(2)
  pack(url, ref, resolve(folder))
}
