import { describe, expect, it } from 'vitest';
import { findArgumentSecrets, findSecrets } from './findSecrets.ts';

/** Nothing about it says that it is a credential, except its place. */
const word = 'pw4711xy';
const uuid = '4f1c9a7e-2b6d-4c83-9e51-8d7c6b5a4f3e';
const random = 'q8Zt1wPLr0VbX3nKd7Yh';
const hide = (text: string, found: readonly { start: number; end: number }[]): string => {
  let shown = '';
  let at = 0;
  for (const { start, end } of found) {
    shown += `${text.slice(at, start)}█`;
    at = end;
  }
  return shown + text.slice(at);
};
const value = (name: string, text: string): string => hide(text, findSecrets(name, text));
const args = (...texts: string[]): string =>
  findArgumentSecrets(texts)
    .map((found, index) => hide(texts[index] ?? '', found))
    .join(' ');
const words = (text: string): string[] => text.trim().split(/\s+/);

/**
 * Settings of public servers as their documentation writes them, each with a word in place of the
 * credential: mcp.exa.ai, mcp.tavily.com, server.smithery.ai, mcp.apify.com, mcp.map.baidu.com (ak),
 * mcp.amap.com (key), *.azurewebsites.net (code), mcp.firecrawl.dev, browserbase, figma, grafana,
 * notion, github, gitlab, slack, supabase, sentry, jira, confluence, neo4j, mssql, snowflake, …
 */
describe('credentials where documented servers take them', () => {
  it.each(
    words(`exaApiKey tavilyApiKey firecrawlApiKey browserbaseApiKey smitheryApiKey braveApiKey
      notionApiKey githubPersonalAccessToken apiKey api_key api-key apikey APIKEY key token
      accessToken access_token access-token authToken auth_token auth authorization bearer
      bearerToken clientSecret client_secret client-secret secret appSecret app_secret appKey
      app_key applicationKey dd-application-key password pass pwd passphrase pin otp sig signature
      oauth_signature sas sharedAccessKey jwt idToken id_token refresh_token sessionToken session
      sessionId session_id session-id userToken user_key botToken webhookToken personalAccessToken
      pat hapikey subscription-key subscriptionKey Ocp-Apim-Subscription-Key X-Api-Key xApiKey
      X-Amz-Signature X-Amz-Security-Token accessKeyId access_key_id accessKeySecret consumerKey
      consumer_secret serviceKey service_role_key anonKey licenseKey mcpKey magic_token privateKey
      private_key credentials cred figmaToken ak sk code ticket dsn mnemonic tok sid uat
      geminikey openaitoken config[apiKey] config.apiKey`),
  )('hides the parameter %s of an address', (name) => {
    const address = `https://mcp.example.com/mcp?profile=me&${name}=${word}&mode=fast`;
    const shown = `https://mcp.example.com/mcp?profile=me&${name}=█&mode=fast`;
    expect(value('address', address)).toBe(shown);
    expect(args('-y', 'mcp-remote', address)).toBe(`-y mcp-remote ${shown}`);
    expect(value('SERVERS', `{"a": "${address}"}`)).toBe(`{"a": "${shown}"}`);
  });

  it.each([
    [`https://me:${word}@mcp.example.com/mcp`, 'https://me:█@mcp.example.com/mcp'],
    [`https://mcp.example.com/${random}/mcp`, 'https://mcp.example.com/█/mcp'],
    ['https://mcp.example.com/fc-CANARYfir09abcdef0123456789/v2', 'https://mcp.example.com/█/v2'],
    [
      'https://mcp.example.com/s/4f1c9a7e-2b6d-4c83-9e51-8d7c6b5a4f3e/mcp',
      'https://mcp.example.com/s/█/mcp',
    ],
    ['https://hooks.slack.com/services/T00/B00/abcdefghijkl', 'https://hooks.slack.com/services/█'],
    ['https://discord.com/api/webhooks/12345/abcdef', 'https://discord.com/api/webhooks/█'],
    [
      `https://x.example/@a/b/mcp?config=${Buffer.from(`{"apiKey":"${word}"}`).toString('base64')}`,
      'https://x.example/@a/b/mcp?config=█',
    ],
    [`sqlserver://h:1433;user=sa;password=${word}`, 'sqlserver://h:1433;user=sa;password=█'],
    [`jdbc:postgresql://h/db?user=a&password=${word}`, 'jdbc:postgresql://h/db?user=a&password=█'],
    [`https://mcp.example.com/token/${word}/mcp`, 'https://mcp.example.com/token/█/mcp'],
    [`https://h/key=${word}/mcp`, 'https://h/key=█/mcp'],
    [
      `https://mcp.example.com/?to=https%3A%2F%2Fx.example%2F%3Ftoken%3D${word}`,
      'https://mcp.example.com/?to=█',
    ],
    [`redis://:${word}@h:6379/0`, 'redis://:█@h:6379/0'],
  ])('hides what an address holds elsewhere: %s', (address, shown) => {
    expect(value('address', address)).toBe(shown);
    expect(args(`--url=${address}`)).toBe(`--url=${shown}`);
    expect(value('SOME_URL', address)).toBe(shown);
  });

  it.each<[string[], string]>([
    [['--header', `Authorization: Bearer ${word}`], '--header Authorization: Bearer █'],
    [['--header', `Authorization:Bearer ${word}`], '--header Authorization:Bearer █'],
    [['--header', `x-api-key=${word}`], '--header x-api-key=█'],
    [['--header', 'X-Api-Key', word], '--header X-Api-Key █'],
    [['-H', `X-Api-Key: ${word}`], '-H X-Api-Key: █'],
    [[`-HAuthorization: Bearer ${word}`], '-HAuthorization: Bearer █'],
    [['--headers', `{"X-Api-Key":"${word}"}`], '--headers {"X-Api-Key":"█"}'],
    [['-e', `DB_PASS=${word}`], '-e DB_PASS=█'],
    [[`-eDB_PASS=${word}`], '-eDB_PASS=█'],
    [['--env', `DB_PASS=${word}`], '--env DB_PASS=█'],
    [[`--env=DB_PASS=${word}`], '--env=DB_PASS=█'],
    [
      ['-e', `OPENAPI_MCP_HEADERS={"Authorization": "Bearer ${word}"}`],
      '-e OPENAPI_MCP_HEADERS={"Authorization": "Bearer █"}',
    ],
    [[`JIRA_PAT=${word}`], 'JIRA_PAT=█'],
    [['--figma-api-key', word], '--figma-api-key █'],
    [[`--figma-api-key=${word}`], '--figma-api-key=█'],
    [['--access-token', word], '--access-token █'],
    [['--api_key', word], '--api_key █'],
    [['--apiKey', word], '--apiKey █'],
    [['-k', word], '-k █'],
    [['-p', word], '-p █'],
    [['--auth', word], '--auth █'],
    [['--password', word], '--password █'],
    [['--user', `me:${word}`], '--user me:█'],
    [['--config', `{"auth":{"token":"${word}"}}`], '--config {"auth":{"token":"█"}}'],
    [[`--config={"apiKey":"${word}"}`], '--config={"apiKey":"█"}'],
    [['--config', `{apiKey: ${word}}`], '--config {apiKey: █}'],
    [['--config', `{'apiKey': '${word}'}`], "--config {'apiKey': '█'}"],
    [['--set', `auth.token=${word}`], '--set auth.token=█'],
    [[`-Dspring.datasource.password=${word}`], '-Dspring.datasource.password=█'],
    [[`/apikey:${word}`], '/apikey:█'],
    [
      ['--connection-string', `Server=h;User Id=sa;Password=${word};Encrypt=true`],
      '--connection-string █',
    ],
    [[`Driver={ODBC};Server=h;Uid=sa;Pwd=${word};`], 'Driver={ODBC};Server=h;Uid=sa;Pwd=█;'],
    [[`postgresql://me:${word}@h/db`], 'postgresql://me:█@h/db'],
    [['-c', `export TOKEN=${word} && npx x`], '-c export TOKEN=█ && npx x'],
    [['-c', `npx x --token "${word}"`], '-c npx x --token "█"'],
    [['-c', `curl -u me:${word} https://x.example`], '-c curl -u me:█ https://x.example'],
    [['/c', `set TOKEN=${word}&& npx x`], '/c set TOKEN=█&& npx x'],
    [['-Command', `$env:TOKEN='${word}'; npx x`], "-Command $env:TOKEN='█'; npx x"],
    [['--private-key', `0x${'4f3edf98'.repeat(8)}`], '--private-key █'],
    [[random], '█'],
    [['-e', 'MY_TOKEN=two words'], '-e MY_TOKEN=█'],
    [['--password=two words'], '--password=█'],
    [[`-k=${word}`], '-k=█'],
    [['-k', 'letmeinplease'], '-k █'],
    [['/c', `set "TOKEN=${word}" && npx x`], '/c set "TOKEN=█" && npx x'],
    [
      ['-c', `[Environment]::SetEnvironmentVariable('TOKEN','${word}'); npx x`],
      "-c [Environment]::SetEnvironmentVariable('TOKEN','█'); npx x",
    ],
    [[`-p${word}`], '-p█'],
    [['config', 'set', 'token', word], 'config set token █'],
    [['/c', 'setx', 'OPENAI_KEY', word], '/c setx OPENAI_KEY █'],
    [['/c', `setx OPENAI_KEY ${word} && npx x`], '/c setx OPENAI_KEY █ && npx x'],
    [['-c', `set -x TOKEN ${word}; npx x`], '-c set -x TOKEN █; npx x'],
    [['--config', `"{\\"exaApiKey\\":\\"${word}\\"}"`], '--config "{\\"exaApiKey\\":\\"█\\"}"'],
    [[`jdbc:oracle:thin:scott/${word}@//h:1521/orcl`], 'jdbc:oracle:thin:scott/█@//h:1521/orcl'],
    [['Driver={ODBC};Uid=sa;Pwd={a;b}}c};Encrypt=yes'], 'Driver={ODBC};Uid=sa;Pwd=█;Encrypt=yes'],
    [[`//registry.npmjs.org/:_authToken=${word}`], '//registry.npmjs.org/:_authToken=█'],
    [[`AC${'01ab'.repeat(8)}/SK${'01ab'.repeat(8)}:aBcDeF0123`], '█/█'],
  ])('hides the argument in %j', (texts, shown) => {
    expect(args(...texts)).toBe(shown);
  });

  it.each(
    words(`JIRA_PAT DB_PASS POSTGRES_PASSWORD PGPASSWORD MYSQL_PWD MYSQL_PASS SMTP_PASS
      GITHUB_PERSONAL_ACCESS_TOKEN GITLAB_PRIVATE_TOKEN AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID
      AWS_SESSION_TOKEN BRAVE_API_KEY GOOGLE_MAPS_API_KEY TWILIO_AUTH_TOKEN STRIPE_SECRET_KEY
      SUPABASE_SERVICE_ROLE_KEY SUPABASE_ANON_KEY SLACK_MCP_XOXC_TOKEN SLACK_MCP_COOKIE X_BEARER
      CONFLUENCE_API_TOKEN SENTRY_AUTH NPM_CONFIG__AUTH SSH_PASSPHRASE ENCRYPTION_KEY JWT_SECRET
      COOKIE_SECRET SESSION_SECRET APP_PASSWORD IMAP_PASSWD CREDENTIALS PASSCODE SECRET
      MY_SECRET_VALUE API_KEY_VALUE TOKEN_PROD KEY APIKEY APITOKEN ACCESSKEY METABASE_SESSION
      DD_APP_KEY WALLET_PRIVATE_KEY MNEMONIC SEED_PHRASE API_KEYS CLIENT_SECRETS VAULT_SECRET_ID
      PGPASS MYAPPPASS DBPWD GCREDS HTTPAUTH GEMINIKEY JIRA_TOK PEPPER CONNECT_SID LICENSE
      TELEGRAM_API_HASH ADMIN_PASSWORD_HASH SESSION_STRING ACCESS_CODE VERIFICATION_CODE
      LDAP_BIND_PW HMAC SALT PIN AUTH_HEADER BASIC_AUTH DEPLOY_KEY HASS_TOKEN openaiApiKey`),
  )('hides the variable %s', (name) => {
    expect(value(name, word)).toBe('█');
    expect(args('run', '-e', `${name}=${word}`)).toBe(`run -e ${name}=█`);
  });

  it.each([
    [
      'OPENAPI_MCP_HEADERS',
      `{"Authorization": "Bearer ${word}", "Notion-Version": "2022-06-28"}`,
      '{"Authorization": "Bearer █", "Notion-Version": "2022-06-28"}',
    ],
    ['CONFIG', `{"env":{"A":"{\\"apiKey\\":\\"${word}\\"}"}}`, '{"env":{"A":"█"}}'],
    ['HEADERS', `[{"name":"X-Api-Key","value":"${word}"}]`, '[{"name":"X-Api-Key","value":"█"}]'],
    ['EXTRA_HEADERS', `X-Api-Key: ${word}`, 'X-Api-Key: █'],
    ['DATABASE_URL', `postgres://a:${word}@h/d`, 'postgres://a:█@h/d'],
    ['HTTP_PROXY', `http://u:${word}@proxy:8080`, 'http://u:█@proxy:8080'],
    ['SENTRY_DSN', `https://${word}@o1.ingest.sentry.io/1`, 'https://█@o1.ingest.sentry.io/1'],
    ['NEO4J_AUTH', `neo4j/${word}`, '█'],
    ['LOGIN', `me:${word}`, 'me:█'],
    ['ORACLE_CONN', `scott/${word}@//h:1521/orcl`, 'scott/█@//h:1521/orcl'],
    [
      'AZURE_STORAGE',
      `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${random}==;EndpointSuffix=x`,
      'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=█;EndpointSuffix=x',
    ],
    ['OPTION', `ghp_${'a'.repeat(20)}`, '█'],
    ['DB_PASSWORD', 'Tr0ub4dor$ecret', '█'],
    ['DB_PASSWORD', '50%off%now', '█'],
    ['DB_PASSWORD', '$ecret123!', '█'],
    ['DB_PASSWORD', 'pass:hunter2', '█'],
    ['DB_PASSWORD', '$2b$10$abcdefghijk', '█'],
    ['DB_URL', 'postgres://me:p@ss/w#rd@h:5432/d', 'postgres://me:█@h:5432/d'],
    [
      'YAML',
      `api:\n  key: ${word}\n  url: https://x.example`,
      'api:\n  key: █\n  url: https://x.example',
    ],
    ['ACCESS_TOKENS', `{"me":"${word}"}`, '{"me":"█"}'],
    ...words(
      `pat_12345678 napi_12345678 pscale_tkn_abcdefgh mdb_sa_sk_abcdefgh e2b_0123456789 xoxc-12345678
      pk_12345678_ABCDEFGH key-0123456789abcdef NRAK-ABCDEFGHIJ1234567890 lsv2_pt_0123456789 pcsk_abcdefgh
      hvs.CAESIabc ctx7sk-abcdef12 EAAAEabcdefghijklmnop1234 HRKU-abcdef12 cfut_abcdefgh1 acme_live_abcdefgh12345678
      ABCD-1234-EFGH-5678`,
    ).map((text): [string, string, string] => ['OPTION', text, '█']),
  ])('hides what the variable %s=%s holds', (name, text, shown) => {
    expect(value(name, text)).toBe(shown);
  });

  it.each(
    words(`Authorization Proxy-Authorization Authentication X-API-Key Api-Key apikey X-Auth-Token
      X-Access-Token X-Token Cookie X-Goog-Api-Key Ocp-Apim-Subscription-Key X-Subscription-Token
      CONTEXT7_API_KEY X-Figma-Token PRIVATE-TOKEN DD-API-KEY DD-APPLICATION-KEY X-Vault-Token
      X-Amz-Security-Token CF-Access-Client-Secret X-Shopify-Access-Token X-Session-Id
      X-CSRF-Token X-Signature X-Hub-Signature-256 X-Auth X-Auth-Key X-Client-Secret
      x-litellm-api-key x-mcp-auth X-Goog-Iap-Jwt-Assertion x-functions-key X-Password X-PAT`),
  )('hides the header %s', (name) => {
    expect(value(name, word)).toBe('█');
    expect(args('--header', `${name}: ${word}`)).toBe(`--header ${name}: █`);
    expect(value('HEADERS', JSON.stringify({ [name]: word }))).toBe(
      JSON.stringify({ [name]: '█' }),
    );
  });
});

describe('texts that look like credentials and are none', () => {
  it.each([
    ['env_keys', 'GITHUB_TOKEN'],
    ['MODEL', 'anthropic.claude-3-5-sonnet-20241022-v2:0'],
    ['MODEL', 'hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M'],
    ['MODEL', 'accounts/fireworks/models/llama-v3p1-405b-instruct'],
    ['IMAGE', 'mcr.microsoft.com/playwright:v1.50.1-noble'],
    ['IMAGE', `mcp/github@sha256:${'ab12'.repeat(16)}`],
    ['PACKAGE', 'git+https://github.com/o/r.git@3f786850e387550fdab836ed7e6dc881de23001b'],
    ['PACKAGE', 'github:owner/repo#3f786850e387550fdab836ed7e6dc881de23001b'],
    ['COMMIT', 'commit=3f786850e387550fdab836ed7e6dc881de23001b'],
    ['GIT_SHA', '3f786850e387550fdab836ed7e6dc881de23001b'],
    ['FILE', '/Users/me/Library/Application Support/Claude/claude_desktop_config.json'],
    ['FOLDER', 'C:\\Users\\me\\AppData\\Roaming\\npm\\node_modules\\server'],
    ['ADDRESS', 'https://server.smithery.ai/@upstash/context7-mcp/mcp?profile=my-profile'],
    [
      'ADDRESS',
      'https://bedrock-agentcore.us-east-1.amazonaws.com/runtimes/arn%3Aaws%3Abedrock-agentcore%3Aus-east-1%3A123456789012%3Aruntime%2Fmy-agent/invocations?qualifier=DEFAULT',
    ],
    [
      'ADDRESS',
      'https://example.com/a-very-long-path-with-many-words/index-of-documents.html?utm_campaign=autumn-2026',
    ],
    ['FILE', '/nix/store/0a1vb2c3xd4e5f6g7h8i9j0k1l2m3n4o-nodejs-22.1.0/bin/node'],
    ['FOLDER', '~/.cache/uv/archive-v0/q8Zt1wPLr0VbX3nKd7Yh/bin'],
    ['FOLDER', 'C:\\Users\\me\\cache\\q8Zt1wPLr0VbX3nKd7Yh\\server.exe'],
    ['USER_AGENT', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36'],
    ['KEYCLOAK_URL', 'https://kc.example/auth'],
    ['TOKENIZERS_PARALLELISM', 'false'],
    ['MAX_TOKENS', '200000'],
    ['AUTH', 'oauth2'],
    ['AUTH_TYPE', 'api-key'],
    ['API_KEY_HEADER', 'X-Team-Key'],
    ['SSH_AUTH_SOCK', '/run/user/1000/keyring/ssh'],
    ['GOOGLE_APPLICATION_CREDENTIALS', '/home/me/key.json'],
    ['PASSWORD_FILE', '/run/secrets/pw'],
    ['SECRET_NAME', 'prod/db'],
    ['AZURE_KEY_VAULT_URL', 'https://v.vault.azure.net'],
    ['TOOLSETS', 'repos,issues,pull_requests'],
    ['PARAMETERS', '{"max_results": 15, "search_depth": "advanced"}'],
    ['SCHEMA', '{"type":"object","properties":{"token":{"type":"string"}}}'],
    ['FEATURES', 'searchDocuments,createDocument,updateDocumentSection,deleteDocument'],
    ['CONNECTION', 'postgresql://user@localhost/db'],
    ['PWD', '/home/me/project'],
    ['SSH_KEY', '~/.ssh/id_rsa'],
    ['JIRA_PROJECT_KEY', 'ENG'],
    ['SORT_KEY', 'created_at'],
    ['LICENSE', 'MIT'],
    ['ORACLE_SID', 'ORCL'],
    ['AUTH0_DOMAIN', 'dev.eu.auth0.com'],
    ['PASSWORD_COMMAND', 'pass show mail/me'],
    ['SECRET_ARN', 'arn:aws:secretsmanager:us-east-1:123456789012:secret:prod/db-AbCdEf'],
    ['AZURE_CLIENT_ID', uuid],
    ['X-Workspace', uuid],
    ['NOTION_DATABASE_ID', '9f86d081884c7d659a2feaa0c55ad015'],
    ['GOOGLE_CLIENT_ID', '1234567890-ab12cd34ef56gh78ij90kl12mn34op56.apps.googleusercontent.com'],
    ['OPENAI_ORG_ID', 'org-AbCdEfGhIjKlMnOpQrSt1234'],
    ['VPC', 'vpc-0a1b2c3d4e5f67890'],
    ['ADDRESS', `https://x.example/mcp?workspace_id=${uuid}&project=${uuid}`],
    ['ADDRESS', `https://api.example/projects/${uuid}/mcp`],
    ['ADDRESS', 'https://0123456789abcdef0123456789abcdef.eu-west-1.aws.found.io:9243'],
    [
      'SPEC',
      'https://raw.githubusercontent.com/o/r/3f786850e387550fdab836ed7e6dc881de23001b/a.json',
    ],
    ...words(
      `%API_KEY% $API_KEY \${API_KEY} \${env:API_KEY} \${config:a.b} {{API_KEY}} {env:API_KEY}
      os.environ/API_KEY <YOUR_API_KEY> YOUR_API_KEY [YOUR_API_KEY] your-api-key-here insert-your-key REPLACE_ME
      op://vault/item/field file:/run/secrets/x env:N_KEY <<KEY>> @@KEY@@ __KEY__ [token] none EMPTY
      not-needed API_KEY_HERE ghp_your_token_here $(cat_/run/x) xxxxxxxx ... sk-... sk-xxxxxxxxxxxxxxxx ghp_**** changeme TODO`,
    ).map((text): [string, string] => ['API_KEY', text]),
  ])('leaves %s=%s', (name, text) => {
    expect(value(name, text)).toBe(text);
  });

  it.each<[string[]]>([
    [['run', '--rm', '-v', '/home/me:/data', '-p', '8080:8080', 'mcp/image:latest']],
    [['run', '-i', '-e', 'GITHUB_TOKEN', 'ghcr.io/github/github-mcp-server', '-u', '1000:1000']],
    [['--from', 'git+https://github.com/oraios/serena@v0.1.4', 'serena', 'start-mcp-server']],
    [['-y', '-p', '@scope/package', 'command', '-t', 'stdio', '-k', '--verbose']],
    [['--header', 'Authorization:${AUTH_HEADER}', '--auth', 'oauth', '--api-key-env', 'MY_KEY']],
    [
      [
        '--allow-env=GITHUB_TOKEN,HOME',
        '--token-limit',
        '4000',
        '--project-ref=abcdefghijklmnopqrst',
      ],
    ],
    [['--subscription', uuid, '--tenant', uuid, '-e', `AZURE_CLIENT_ID=${uuid}`]],
    [['exec', '-i', '3f4e8a1b2c3d', '--sort-key', 'created_at', '--key-column', 'id']],
    [['-c', 'TOKEN=$(cat /run/secrets/token) npx x --key "$API_KEY"']],
    [['-jar', '/opt/mcp-server-1.2.3-SNAPSHOT.jar', '--features=account,docs,database,debug']],
  ])('leaves the arguments %j', (texts) => {
    expect(args(...texts)).toBe(texts.join(' '));
  });
});
