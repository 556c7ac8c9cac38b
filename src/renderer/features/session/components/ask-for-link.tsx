import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { asApiError } from '../../../lib/server/api-error.ts'
import { bridge } from '../../../lib/app/bridge.ts'
import { appInfoQuery } from '../../../lib/app/bridge.api.ts'
import { CommandLine } from '../../../components/text/command-line.tsx'

/** How the page of the first run is opened: the app does it itself, elsewhere a command prints the link. */
export function AskForLink({ words }: { words: string }) {
  const app = useQuery(appInfoQuery)
  const ask = useMutation({ mutationFn: () => bridge?.setup.newLink() ?? Promise.resolve() })
  if (app.data?.ownsServices !== true) {
    return (
      <>
        <p>{words}</p>
        <CommandLine command="skilldock desk" />
      </>
    )
  }
  return (
    <>
      <Button variant="filled" loading={ask.isPending} onClick={() => ask.mutate()}>
        Go on with the setup
      </Button>
      {ask.error !== null && <p role="alert">{asApiError(ask.error).message}</p>}
    </>
  )
}
