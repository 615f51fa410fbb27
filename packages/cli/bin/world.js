#!/usr/bin/env node
// Runs on any Node.js with ES modules, so that an old version prints a message instead of a syntax error.
// Nothing is imported before the version is checked.

const NEEDED = '24.15'
const running = process.versions.node

if (isOlder(running.split('.'), NEEDED.split('.'))) {
  process.stderr.write(
    [
      `world needs Node.js ${NEEDED} or newer; this is Node.js ${running}.`,
      'Install a newer one from https://nodejs.org, or from npm beside it, in this folder:',
      '  npm i node@24',
      '  export PATH="$PWD/node_modules/.bin:$PATH"',
      '',
    ].join('\n'),
  )
  process.exitCode = 1
} else {
  start().catch((error) => {
    process.stderr.write(`${error.stack || error}\n`)
    process.exitCode = 1
  })
}

function isOlder([major, minor], [neededMajor, neededMinor]) {
  return major === neededMajor ? Number(minor) < Number(neededMinor) : Number(major) < Number(neededMajor)
}

async function start() {
  const { existsSync } = await import('node:fs')
  const { fileURLToPath } = await import('node:url')
  const at = (path) => fileURLToPath(new URL(path, import.meta.url))
  // Only a clone has the build configuration. It runs its sources, even if `dist` exists.
  if (existsSync(at('../tsconfig.build.json'))) await runSource(at('../src/main.ts'))
  else await import('../dist/main.js')
}

/** Runs the sources in a process of their own, because import conditions apply to a whole process. */
async function runSource(source) {
  const { spawn } = await import('node:child_process')
  const child = spawn(
    process.execPath,
    ['--conditions=@worldwright/source', ...process.execArgv, source, ...process.argv.slice(2)],
    { stdio: 'inherit' },
  )
  const forward = (signal) => child.kill(signal)
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, forward)
  child.on('error', (error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    for (const name of signals) process.removeListener(name, forward)
    if (signal) process.kill(process.pid, signal)
    else process.exitCode = code === null ? 1 : code
  })
}
