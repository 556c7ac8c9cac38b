/** Sentences about webhooks and deliveries that a person reads. */
export const texts = {
  noWebhook: (id: number) => `There is no webhook ${id}. Reload the page.`,
  tooManyWebhooks: (limit: number) =>
    `There are already ${limit} webhooks. Delete one that is no longer needed.`,
  disabled: 'The webhook is disabled. Enable it first.',
  invalid: (problems: string) => `The webhook can't be saved: ${problems}`,
  insecure:
    'must start with https://; to allow http:// and private addresses, change the setting “Private addresses of webhooks”',
  privateUrl: (address: string) =>
    `${address} is a private address; to allow those, change the setting “Private addresses of webhooks”`,

  problem: {
    private: (host: string, address: string) =>
      `${host} is ${address}, a private address. To allow those, change the setting “Private addresses of webhooks”.`,
    insecure:
      'The URL does not start with https://. Change it, or the setting “Private addresses of webhooks”.',
    unreadableSecret:
      'The secret can no longer be decrypted, because the signing key has changed. Create the webhook again.',
    slow: (seconds: number) => `No complete answer within ${seconds} s.`,
    unreachable: (reason: string) => `No connection: ${reason}.`,
    redirect: (target: string) => `It redirects to ${target}. Redirects are not followed: change the URL.`,
    queueFull: (limit: number) => `Not sent: ${limit} deliveries were already waiting.`,
    disabled: 'Not sent: the webhook was disabled.',
  },
} as const
