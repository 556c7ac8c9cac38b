/** Addresses of the desk's views of agents. What names something stands in the query, for a name may hold anything. */
export const agentPaths = {
  overview: '/desk/agents',
  agents: '/desk/agents/list',
  supervisors: '/desk/agents/supervisors',
  cost: '/desk/agents/cost',
  audit: '/desk/agents/audit',
  trust: '/desk/agents/trust',
  broker: '/desk/agents/broker',
  edge: '/desk/agents/edge',
  agent: (name: string): string => `/desk/agents/agent?name=${encode(name)}`,
  auditRow: (id: number): string => `/desk/agents/audit?around=${id}`,
  budget: (agent: string): string => `/desk/agents/cost?agent=${encode(agent)}`,
} as const

/** Of what encodeURIComponent leaves as it is, also those that have a meaning in other places. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*~]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
