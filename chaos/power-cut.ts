/**
 * Simulates a power cut under a writer by shutting down an ext4 file system on a loop device without any writeback. After
 * the next mount, every acknowledged write must exist and the store must be intact.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openStore, storeAt } from '@worldwright/engines'
import { type Effort, type Finding, finding, notRun } from './fault.ts'

const DISK_MB = 256

/** Program that calls EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH, which does not even flush the journal. */
const SHUTDOWN = `#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
int main(int count, char **paths) {
  uint32_t flags = 2;
  return ioctl(open(paths[count - 1], O_RDONLY), _IOR('X', 125, uint32_t), &flags) == 0 ? 0 : 1;
}
`

/** Runs the fault with 30 power cuts, or 3 in a short run. */
export async function powerCut({ short }: Effort): Promise<Finding> {
  const times = short ? 3 : 30
  if (process.getuid?.() !== 0) return notRun('only root may mount a disk')
  for (const tool of ['gcc', 'mkfs.ext4', 'losetup', 'mount'])
    if (spawnSync('which', [tool]).status !== 0) return notRun(`there is no ${tool}`)
  const base = mkdtempSync(join(tmpdir(), 'world-power-'))
  const disk = new LoopDisk(base)
  try {
    const problem = disk.make()
    if (problem !== undefined) return notRun(problem)
    return await run(disk, times)
  } finally {
    disk.unmount()
    rmSync(base, { recursive: true, force: true })
  }
}

async function run(disk: LoopDisk, times: number): Promise<Finding> {
  const acknowledged = new Set<number>()
  const mistakes = { lost: 0, damaged: 0 }
  for (let time = 0; time < times; time++) {
    const file = join(disk.folder, 'world.db')
    const child = spawn(
      process.execPath,
      ['--conditions=@worldwright/source', join(import.meta.dirname, 'power-cut-victim.ts'), file],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    )
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
    })
    const ended = once(child, 'exit')
    // Wait for the victim's first acknowledged write.
    while (!said.includes('\n') && child.exitCode === null) await pause(5)
    await pause(Math.random() * 1_000)
    // A sync in progress while ext4 shuts down may succeed without having synced. Even a program that only appends and syncs
    // loses its last record in one of twenty cuts, so only writes acknowledged before the cut count.
    const before = said
    disk.cutPower()
    child.kill('SIGKILL')
    await ended
    for (const line of before.split('\n').slice(0, -1)) acknowledged.add(Number(line))
    disk.unmount()
    disk.mount()
    const store = await openStore(`sqlite:${file}`, { role: 'writer' })
    for (const number of acknowledged)
      if ((await store.get('chaos:write', `w${number}`)) === undefined) mistakes.lost += 1
    await store.close()
    const whole = await storeAt(`sqlite:${file}`)
    const { problems } = await whole.verify()
    if (problems.length > 0 || !(await whole.verifySearchIndex()).agrees) mistakes.damaged += 1
  }
  return finding(`${times} power cuts, ${acknowledged.size} acknowledged writes`, mistakes)
}

/** Small ext4 file system in an image file. */
class LoopDisk {
  readonly folder: string
  readonly #image: string
  readonly #cut: string
  #isMounted = false

  constructor(base: string) {
    this.folder = join(base, 'disk')
    this.#image = join(base, 'disk.img')
    this.#cut = join(base, 'cut')
  }

  /** Creates and mounts the file system. Returns the reason for a failure, or undefined on success. */
  make(): string | undefined {
    mkdirSync(this.folder)
    writeFileSync(`${this.#cut}.c`, SHUTDOWN)
    for (const command of [
      ['gcc', '-o', this.#cut, `${this.#cut}.c`],
      ['truncate', '-s', `${DISK_MB}M`, this.#image],
      ['mkfs.ext4', '-q', '-F', this.#image],
    ]) {
      const { status, stderr } = spawnSync(command[0] as string, command.slice(1))
      if (status !== 0) return `${command[0]} failed: ${stderr}`
    }
    return this.mount()
  }

  mount(): string | undefined {
    const { status, stderr } = spawnSync('mount', ['-o', 'loop', this.#image, this.folder])
    if (status !== 0) return `no disk can be mounted: ${stderr}`
    this.#isMounted = true
    return undefined
  }

  cutPower(): void {
    const { status } = spawnSync(this.#cut, [this.folder])
    if (status !== 0) throw new Error('the file system was not shut down')
  }

  unmount(): void {
    if (this.#isMounted) spawnSync('umount', [this.folder])
    this.#isMounted = false
  }
}
