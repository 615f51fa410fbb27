#!/usr/bin/env node
// Runs on any Node that knows ES modules, so that an old one is told what is missing instead of failing on syntax.
// Nothing is imported before the version is known.

const NEEDED = 24
const running = process.versions.node

if (Number(running.split('.')[0]) < NEEDED) {
  process.stderr.write(
    [
      `world needs Node.js ${NEEDED} or newer; this is Node.js ${running}.`,
      'Install a newer one from https://nodejs.org, or from npm beside it, in this folder:',
      `  npm i node@${NEEDED}`,
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

async function start() {
  const { existsSync } = await import('node:fs')
  const { fileURLToPath } = await import('node:url')
  const source = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  // Only a clone has sources; there they count, even where something built lies about.
  if (existsSync(source)) await runSource(source)
  else await import('../dist/main.js')
}

/** Import conditions hold for a whole process, so that sources need one of their own. */
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
