import { createServices } from '../app/createServices.ts';
import type { ServerConfig } from '../../src-shared/domain/server.ts';

/**
 * A program that opens a workspace and registers a server, for tests that kill it: `node
 * servicesChild.ts FOLDER CONFIG`, CONFIG in JSON. It prints "registered" after the call and runs
 * until it is killed.
 */
const [folder = '', config = ''] = process.argv.slice(2);
const { services } = await createServices({ host: 'cli', folder });
await services.servers.create({ name: 'weather', config: JSON.parse(config) as ServerConfig });
process.stdout.write('registered\n');
setInterval(() => undefined, 1000);
