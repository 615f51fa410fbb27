/** Cost of traces and metrics by OpenTelemetry: the same entities with an exporting server and without. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SERVER_CORE } from './cores.ts'
import { benchStore, HOT } from './data.ts'
import { compared, type Effort, inTurns } from './measure.ts'
import { type Server, startWorld } from './servers.ts'
import type { Line } from './table.ts'
import { underLoad } from './wrk.ts'

const FEW = 588
const CONNECTIONS = 32

/** Compares servers that export all traces, or one in a hundred, with one that exports nothing. */
export async function telemetry(effort: Effort): Promise<Line[]> {
  // Takes what is exported, on the core of the load.
  const collector = createServer((request, response) => request.resume().on('end', () => response.end()))
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const { port } = collector.address() as AddressInfo
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }
  const started: Server[] = []
  const start = async (name: string, variables: Readonly<Record<string, string>>) => {
    Object.assign(process.env, variables)
    const server = await startWorld(name, await benchStore(FEW), SERVER_CORE, ['--workers', '1'])
    for (const variable of Object.keys(variables)) delete process.env[variable]
    started.push(server)
    return server
  }
  try {
    const without = await start('no telemetry', {})
    const all = await start('all traces', endpoint)
    const sampled = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01' }
    const some = await start('one trace in a hundred', { ...endpoint, ...sampled })
    const pressure = { connections: CONNECTIONS, seconds: effort.seconds }
    const samples = await inTurns(started, (server) => underLoad(server, HOT, pressure), effort.rounds)
    return [all, some].map((server) => ({
      question: `cached entities with ${server.name}, against no telemetry`,
      bar: '',
      ...compared(samples, server, without),
    }))
  } finally {
    await Promise.all(started.map((server) => server.stop()))
    collector.close()
    collector.closeAllConnections()
  }
}
