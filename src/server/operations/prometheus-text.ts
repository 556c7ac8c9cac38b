type Labels = Readonly<Record<string, string>>

interface Sample {
  labels?: Labels
  /** A sample without a value is left out. */
  value: number | null
}

interface HistogramSample {
  labels: Labels
  /** Upper bounds of all buckets except the last, which has none. */
  bounds: readonly number[]
  /** The number of values in each bucket. */
  buckets: readonly number[]
  sum: number
}

/** Collects metrics and writes them in Prometheus' text format, version 0.0.4. */
export function createExposition() {
  const lines: string[] = []

  const begin = (name: string, type: string, help: string): void => {
    lines.push(`# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`)
    lines.push(`# TYPE ${name} ${type}`)
  }

  const write =
    (type: 'gauge' | 'counter') =>
    (name: string, help: string, samples: number | null | readonly Sample[]): void => {
      const all = (Array.isArray(samples) ? samples : [{ value: samples }]) as readonly Sample[]
      const known = all.filter(({ value }) => value !== null)
      if (known.length === 0) return
      begin(name, type, help)
      for (const { labels = {}, value } of known) lines.push(`${name}${written(labels)} ${value}`)
    }

  return {
    gauge: write('gauge'),
    counter: write('counter'),

    histogram(name: string, help: string, samples: readonly HistogramSample[]): void {
      if (samples.length === 0) return
      begin(name, 'histogram', help)
      for (const { labels, bounds, buckets, sum } of samples) {
        let count = 0
        for (const [at, values] of buckets.entries()) {
          count += values
          const le = at < bounds.length ? String(bounds[at]) : '+Inf'
          lines.push(`${name}_bucket${written({ ...labels, le })} ${count}`)
        }
        lines.push(`${name}_sum${written(labels)} ${sum}`, `${name}_count${written(labels)} ${count}`)
      }
    },

    text: (): string => `${lines.join('\n')}\n`,
  }
}

export type Exposition = ReturnType<typeof createExposition>

function written(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
