import { z } from 'zod'
import { notBlank } from './text-schemas.ts'
import { json, reply, route } from '../route.ts'
import { successSchema } from './common.ts'
import { projectStates, record } from './desk-agents-common.ts'
import { idParamsSchema, instantSchema } from './desk-common.ts'

/** A recently used project. */
const rememberedProjectSchema = record('RememberedProject', {
  folder: z.string(),
  /** The name of the folder. */
  name: z.string(),
  /** Whether `data/nexus.db` exists now. */
  exists: z.boolean(),
  chosen: z.boolean(),
})
export type RememberedProject = z.infer<typeof rememberedProjectSchema>

const agentProjectSchema = record('AgentProject', {
  state: z.enum(projectStates),
  /** What is wrong and what to do, in one sentence; null while it is ready. */
  sentence: z.string().nullable(),
  folder: z.string().nullable(),
  name: z.string().nullable(),
  /** Bytes of the database and its -wal. */
  bytes: z.int().nullable(),
  /** How its owner writes it. */
  journal: z.enum(['wal', 'rollback']).nullable(),
  changedAt: instantSchema.nullable(),
  /** When it was last checked for changes: twice a second while the reading process runs. Null without a project. */
  readAt: instantSchema.nullable(),
  /** The environment variable that sets the project, if any: then it cannot be changed in the desk. */
  fixedBy: z.literal('SKILLDOCK_WORKSPACE').nullable(),
  /** Newest first, including the chosen one. */
  remembered: z.array(rememberedProjectSchema),
  /** The counts in the sidebar; null if unknown. `alerts` is the red badge in the navigation bar. */
  counts: z.strictObject({
    agents: z.int().nullable(),
    supervisors: z.int().nullable(),
    deployments: z.int().nullable(),
    alerts: z.int(),
  }),
})
export type AgentProject = z.infer<typeof agentProjectSchema>

const folderSchema = z.strictObject({
  folder: z
    .string()
    .min(1)
    .max(4096)
    .refine(...notBlank),
})

const changed = { reply: reply(agentProjectSchema, 'The updated project') }

export const deskAgentProjectRoutes = {
  getAgentProject: route('GET /desk/api/agents/project', 'administrator', {
    summary: 'Get the chosen agent project, its state and recent projects',
    reply: reply(agentProjectSchema, 'The project'),
  }),
  chooseAgentProject: route('PUT /desk/api/agents/project', 'administrator', {
    ...changed,
    summary: 'Choose the agent project by its absolute folder path, or none with null',
    body: json(z.strictObject({ folder: folderSchema.shape.folder.nullable() })),
    errors: ['VALIDATION_FAILED', 'STORAGE_UNAVAILABLE', 'ORIGIN_FORBIDDEN'],
  }),
  retryAgentProject: route('POST /desk/api/agents/project/retry', 'administrator', {
    ...changed,
    summary: 'Retry opening the chosen agent project after repeated failures',
    errors: ['ORIGIN_FORBIDDEN'],
  }),
  forgetAgentProject: route('POST /desk/api/agents/project/forget', 'administrator', {
    ...changed,
    summary: 'Remove a project from the recent projects; its files are not changed',
    body: json(folderSchema),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'ORIGIN_FORBIDDEN'],
  }),
  markAlertSeen: route('POST /desk/api/agents/alerts/{id}/seen', 'administrator', {
    summary: 'Acknowledge a mismatch; the row stays marked in the audit',
    params: idParamsSchema,
    reply: reply(successSchema, 'Acknowledged'),
    errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'ORIGIN_FORBIDDEN'],
  }),
}
