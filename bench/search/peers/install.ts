/** Installs the dependencies of peers once into `bench/node_modules/.cache`, with the client of each registry. */
import { existsSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { run } from './program.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const cache = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url))
const TANTIVY = '0.27.0'

/** Installs Lucene with Maven, compiles the program, and returns the class path for `java`. */
export async function lucene(): Promise<string> {
  const [jars, classes] = [`${cache}lucene`, `${cache}lucene-classes`]
  mkdirSync(classes, { recursive: true })
  if (!existsSync(`${jars}/done`)) {
    const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies'
    await run('mvn', ['-q', '-B', '-f', `${here}pom.xml`, goal, `-DoutputDirectory=${jars}`])
    mkdirSync(`${jars}/done`)
  }
  await run('javac', ['-cp', `${jars}/*`, '-d', classes, `${here}Lucene.java`])
  return `${jars}/*:${classes}`
}

/** Installs Tantivy with pip into a virtual environment, and returns its `python`. */
export async function tantivy(): Promise<string> {
  const folder = `${cache}tantivy-${TANTIVY}`
  if (!existsSync(`${folder}/done`)) {
    await run('python3', ['-m', 'venv', folder])
    await run(`${folder}/bin/pip`, ['install', '-q', '--disable-pip-version-check', `tantivy==${TANTIVY}`])
    mkdirSync(`${folder}/done`)
  }
  return `${folder}/bin/python`
}
