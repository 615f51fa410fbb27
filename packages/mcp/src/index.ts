/** Worlds as tools of agents, over the Model Context Protocol. */
export type { AgentWorld } from './agent-world.ts'
export { serveAgents } from './stdio.ts'
