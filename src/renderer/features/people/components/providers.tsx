import { Button } from '@mantine/core'
import { IconAlertOctagonFilled, IconCircleCheckFilled, IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Failure } from '../../../components/feedback/failure.tsx'
import { When } from '../../../components/list/when.tsx'
import { providersQuery, useTestProvider } from '../people.api.ts'
import classes from './providers.module.css'

/** Sign-in by other providers; they are set in settings.json. */
export function Providers() {
  const providers = useQuery(providersQuery)
  const items = providers.data?.items ?? []
  return (
    <section className={classes['providers']} aria-label="Sign-in by other providers">
      <h2>Sign-in by other providers</h2>
      {providers.error !== null && (
        <Failure
          error={providers.error}
          what="The providers cannot be read"
          retry={() => void providers.refetch()}
        />
      )}
      {providers.data !== undefined && items.length === 0 && (
        <p className={classes['text']}>
          None. OpenID Connect providers are set under <code>issuers</code> in <code>settings.json</code> of
          the data folder.
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

interface ProviderProps {
  provider: { name: string; issuer: string; administrators: string }
}

function Provider({ provider }: ProviderProps) {
  const test = useTestProvider(provider.name)
  const failed = test.data?.checks.filter(({ ok }) => !ok).length ?? 0
  return (
    <li className={classes['provider']}>
      <IconKey size={16} stroke={1.75} aria-hidden />
      <div className={classes['body']}>
        <p className={classes['name']}>{provider.name}</p>
        <code>{provider.issuer}</code>
        <p className={classes['text']}>administrators: {provider.administrators}</p>
        {test.error !== null && <Failure error={test.error} what={`${provider.name} could not be tested`} />}
        {test.data !== undefined && (
          <ul className={classes['checks']} aria-label={`What the test of ${provider.name} found`}>
            {test.data.checks.map(({ name, ok, detail }) => (
              <li key={name} data-ok={ok || undefined}>
                {ok ? (
                  <IconCircleCheckFilled size={14} aria-label="right" />
                ) : (
                  <IconAlertOctagonFilled size={14} aria-label="wrong" />
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
          <span data-ok={failed === 0 || undefined}>
            {failed === 0 ? 'tested' : `${failed} wrong`} <When at={test.data.testedAt} />
          </span>
        )}
        <Button size="sm" loading={test.isPending} onClick={() => test.mutate()}>
          Test
        </Button>
      </div>
    </li>
  )
}
