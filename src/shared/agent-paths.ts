/** Paths of the desk's agent views. Names are in the query, because they may contain any character. */
export const agentPaths = {
  overview: '/desk/agents',
  agents: '/desk/agents/list',
  cost: '/desk/agents/cost',
  audit: '/desk/agents/audit',
  agent: (name: string): string => `/desk/agents/agent?name=${encode(name)}`,
  auditRow: (id: number): string => `/desk/agents/audit?around=${id}`,
  budget: (agent: string): string => `/desk/agents/cost?agent=${encode(agent)}`,
} as const

/** Also encodes the characters that encodeURIComponent leaves unchanged, because some have a meaning elsewhere. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*~]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
