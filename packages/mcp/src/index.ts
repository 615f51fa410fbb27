/** Worlds as tools of agents, over the Model Context Protocol. */
export type { AgentWorld } from './agent-world.ts'
export { createServer, SERVER } from './server.ts'
export { serveAgents } from './stdio.ts'
