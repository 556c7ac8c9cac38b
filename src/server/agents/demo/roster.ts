// The agents of the demo project: a team that gathers data, checks prices, reports and writes digests.

export interface DemoAgent {
  name: string
  template: string
  status: 'running' | 'stopped' | 'crashed' | 'paused'
  /** The demo registry's release whose module it runs; null if the module is not from the registry. */
  release: { skill: string; version: string } | null
  /** Null if it calls no model. */
  model: string | null
  /** Relative share of the calls. */
  activity: number
}

/** `release` is `skill@version`. A dash: no release, or no model. */
function agent(
  name: string,
  template: string,
  status: DemoAgent['status'],
  release: string,
  model: string,
  activity: number,
): DemoAgent {
  const [skill = '', version = ''] = release.split('@')
  return {
    name,
    template,
    status,
    release: release === '-' ? null : { skill, version },
    model: model === '-' ? null : model,
    activity,
  }
}

export const demoAgents: readonly DemoAgent[] = [
  agent('invoice-reader', 'reader', 'crashed', 'csv-to-json@1.0.1', 'claude-sonnet', 4),
  // Runs a release that was revoked later.
  agent('mail-sorter', 'router', 'running', 'isbn-check@1.0.0', 'gpt-mini', 8),
  agent('feed-poller', 'poller', 'running', 'unix-time@1.0.1', '-', 7),
  agent('price-watch', 'watcher', 'paused', 'luhn-check@1.1.0', 'claude-sonnet', 5),
  agent('price-diff', 'worker', 'running', 'json-minify@1.0.1', 'gpt-mini', 4),
  agent('price-mailer', 'mailer', 'stopped', 'base64-encode@1.0.1', '-', 1),
  agent('geo-tagger', 'worker', 'running', 'hex-dump@1.0.1', 'gpt-mini', 9),
  agent('geo-cache', 'cache', 'running', 'crc32@1.0.1', '-', 5),
  agent('report-builder', 'writer', 'running', 'word-count@1.0.0', 'claude-sonnet', 8),
  agent('report-mailer', 'mailer', 'running', 'base64-encode@1.0.1', '-', 3),
  agent('lead-scorer', 'scorer', 'running', 'luhn-check@1.1.0', 'mistral-large', 6),
  agent('lead-import', 'worker', 'running', 'csv-to-json@1.0.1', 'gpt-mini', 4),
  // Uses a model without a price.
  agent('web-digest', 'digest', 'running', 'word-count@1.0.0', 'qwen3-14b', 6),
  agent('news-digest', 'digest', 'running', 'word-count@1.0.0', 'claude-sonnet', 5),
  agent('paper-digest', 'digest', 'running', 'word-count@1.0.0', 'mistral-large', 3),
  agent('forum-digest', 'digest', 'running', 'word-count@0.9.0', 'gpt-mini', 3),
  agent('patent-digest', 'digest', 'running', 'word-count@0.9.0', 'mistral-large', 2),
  agent('law-digest', 'digest', 'running', 'word-count@1.0.0', 'claude-sonnet', 2),
  agent('tender-digest', 'digest', 'running', 'word-count@1.0.0', 'gpt-mini', 2),
  agent('weather-digest', 'digest', 'running', 'unix-time@1.0.1', '-', 3),
  agent('market-digest', 'digest', 'running', 'json-minify@1.0.1', 'claude-sonnet', 3),
  agent('sport-digest', 'digest', 'running', 'word-count@1.0.0', 'local', 2),
  agent('event-digest', 'digest', 'running', 'unix-time@1.0.1', 'local', 2),
  agent('job-digest', 'digest', 'running', 'word-count@1.0.0', 'gpt-mini', 2),
  agent('book-digest', 'digest', 'running', 'isbn-check@1.1.0', 'local', 1),
  agent('release-digest', 'digest', 'running', 'json-minify@1.0.1', 'local', 2),
  agent('archivist', 'worker', 'running', 'tsv-to-csv@1.0.0', '-', 3),
  agent('backup-keeper', 'worker', 'running', 'crc32@1.0.1', '-', 1),
  agent('barcode-reader', 'reader', 'running', 'isbn-check@1.1.0', '-', 2),
  agent('calendar-sync', 'worker', 'running', 'unix-time@1.0.1', '-', 3),
  agent('contract-checker', 'reviewer', 'paused', '-', 'claude-sonnet', 2),
  agent('currency-table', 'worker', 'running', 'csv-to-json@1.0.1', '-', 2),
  agent('dedupe', 'worker', 'running', 'crc32@1.0.1', '-', 3),
  agent('inventory', 'worker', 'running', 'tsv-to-csv@1.0.0', 'gpt-mini', 2),
  agent('label-printer', 'worker', 'stopped', 'base64-encode@1.0.1', '-', 1),
  agent('metrics', 'worker', 'running', 'json-minify@1.0.1', '-', 4),
  agent('onboarding', 'assistant', 'paused', '-', 'claude-sonnet', 2),
  agent('quarter-planner', 'assistant', 'stopped', '-', 'mistral-large', 1),
  agent('shelf-planner', 'assistant', 'running', 'roman-to-decimal@1.0.1', 'gpt-mini', 2),
  agent('support-drafts', 'assistant', 'running', '-', 'claude-sonnet', 6),
  agent('translator', 'assistant', 'paused', '-', 'mistral-large', 3),
  agent('url-checker', 'worker', 'running', 'hex-dump@1.0.1', '-', 4),
]

/** Each with its strategy, its restart limit and the window of the limit in seconds. */
export const demoSupervisors = [
  ['ingest', 'one-for-one', 3, 60, ['invoice-reader', 'mail-sorter', 'feed-poller']],
  ['pricing', 'rest-for-one', 5, 300, ['price-watch', 'price-diff', 'price-mailer']],
  ['geo', 'one-for-all', 5, 120, ['geo-tagger', 'geo-cache']],
  // Names a child that does not exist.
  ['reports', 'one-for-one', 3, 60, ['report-builder', 'chart-painter', 'report-mailer']],
  ['leads', 'one-for-one', 3, 60, ['lead-scorer', 'lead-import']],
  [
    'digests',
    'one-for-one',
    10,
    60,
    demoAgents.flatMap((one) => (one.template === 'digest' ? one.name : [])),
  ],
] as const

/** Lowest and highest price of a call in cents; null if unpriced. */
export const demoPrices: Readonly<Record<string, readonly [number, number] | null>> = {
  'claude-sonnet': [2, 9],
  'gpt-mini': [1, 3],
  'mistral-large': [1, 5],
  local: [0, 1],
  'qwen3-14b': null,
}

/** Budgets with the percentage used, so that each shows its state on every day of the month. */
export const demoBudgets = [
  { agent: 'price-watch', period: 'month', action: 'pause', used: 104 },
  { agent: 'report-builder', period: 'month', action: 'alert', used: 80 },
  { agent: 'mail-sorter', period: 'week', action: 'throttle', used: 52 },
  { agent: 'geo-tagger', period: 'month', action: 'alert', used: 54 },
  { agent: 'invoice-reader', period: 'day', action: 'pause', used: 27 },
  { agent: 'lead-scorer', period: 'month', action: 'alert', used: 25 },
  { agent: 'web-digest', period: 'month', action: 'alert', used: 0 },
] as const
