import { Button } from '@mantine/core'
import { IconAlertOctagonFilled, IconCircleCheckFilled, IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Failure } from '../../../components/feedback/failure.tsx'
import { When } from '../../../components/list/when.tsx'
import type { Provider as ProviderRow } from '../../../../shared/contracts/desk-people.ts'
import { providersQuery, useTestProvider } from '../people.api.ts'
import { texts } from '../people.texts.ts'
import classes from './providers.module.css'

const { providers: own } = texts

/** The identity providers configured in settings.json, each with a connection test. */
export function Providers() {
  const providers = useQuery(providersQuery)
  const items = providers.data?.items ?? []
  return (
    <section className={classes['providers']} aria-label={own.title}>
      <h2>{own.title}</h2>
      {providers.error !== null && (
        <Failure error={providers.error} what={own.loadFailed} retry={() => void providers.refetch()} />
      )}
      {providers.data !== undefined && items.length === 0 && (
        <p className={classes['text']}>
          {own.none[0]}
          <code>issuers</code>
          {own.none[1]}
          <code>settings.json</code>
          {own.none[2]}
        </p>
      )}
      <ul>
        {items.map((provider) => (
          <Provider key={provider.name} provider={provider} />
        ))}
      </ul>
    </section>
  )
}

function Provider({ provider }: { provider: ProviderRow }) {
  const test = useTestProvider(provider.name)
  const failed = test.data?.checks.filter(({ ok }) => !ok).length ?? 0
  return (
    <li className={classes['provider']}>
      <IconKey size={16} stroke={1.75} aria-hidden />
      <div className={classes['body']}>
        <p className={classes['name']}>{provider.name}</p>
        <code>{provider.issuer}</code>
        <p className={classes['text']}>{own.administrators(provider.administrators)}</p>
        {provider.reviewers !== null && (
          <p className={classes['text']}>{own.reviewers(provider.reviewers)}</p>
        )}
        {provider.editors !== null && <p className={classes['text']}>{own.editors(provider.editors)}</p>}
        {test.error !== null && <Failure error={test.error} what={own.testFailed(provider.name)} />}
        {test.data !== undefined && (
          <ul className={classes['checks']} aria-label={own.results(provider.name)}>
            {test.data.checks.map(({ name, ok, detail }) => (
              <li key={name}>
                {ok ? (
                  <IconCircleCheckFilled size={14} aria-label={own.passed} data-ink="ok" />
                ) : (
                  <IconAlertOctagonFilled size={14} aria-label={own.failed} data-ink="bad" />
                )}
                <span>
                  <b>{name}</b> {detail}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className={classes['test']} role="status">
        {test.data !== undefined && (
          <span data-ink={failed === 0 ? 'ok' : 'bad'}>
            {own.summary(failed)} <When at={test.data.testedAt} />
          </span>
        )}
        <Button size="sm" loading={test.isPending} onClick={() => test.mutate()}>
          {own.test}
        </Button>
      </div>
    </li>
  )
}
