/** Stands in every exposed file where a secret would, and must stand in no report. */
export const SECRET = "swordfish-1f2e3d";

/** What a host serves at each path when it exposes it. */
export const EXPOSED: Readonly<Record<string, readonly string[]>> = {
  "/.git/HEAD": ["ref: refs/heads/main\n", `${"0123456789".repeat(4)}\n`],
  "/.env": [
    `APP_KEY=${SECRET}\nAPP_DEBUG=true\n`,
    `# settings\n\nexport DB_PASSWORD="${SECRET}"\r\n`,
    `A=1\nKEY="-----BEGIN\n${SECRET}\n"\nB=2\nC=3\n`,
  ],
  "/.svn/entries": ["12\n", '<?xml version="1.0" encoding="utf-8"?>\n<wc-entries xmlns="svn:">'],
  "/.DS_Store": ["\0\0\0\u0001Bud1\0\0\u0010\0"],
  "/server-status": [
    "<html><head><title>Apache Status</title></head><h1>Apache Server Status for example.com</h1><dt>Server Version: Apache/2.4",
  ],
  "/phpinfo.php": [
    "<html><head><title>PHP 8.2.1 - phpinfo()</title></head><h1>PHP Version 8.2.1</h1>",
    "<title>phpinfo()</title><h1 class=p>PHP Version 5.6.40</h1>",
  ],
  "/backup.sql": [
    `-- MySQL dump 10.13  Distrib 8.0\n--\nINSERT INTO users VALUES ('${SECRET}');`,
    "--\n-- PostgreSQL database dump\n--\n",
    "create table users (id int);\n",
  ],
  "/wp-config.php.bak": [`<?php\ndefine('DB_PASSWORD', '${SECRET}');\n`],
  "/.aws/credentials": [`[default]\naws_access_key_id = AKIA\naws_secret_access_key=${SECRET}\n`],
  "/id_rsa": [
    `-----BEGIN OPENSSH PRIVATE KEY-----\n${SECRET}\n`,
    `-----BEGIN RSA PRIVATE KEY-----\n${SECRET}`,
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\n",
    "-----BEGIN PRIVATE KEY-----\n",
  ],
  "/.htpasswd": [`ada:$apr1$abc$${SECRET}\n`, "ada:{SHA}abc=\nbob:$2y$05$abc\n", "ada:rqXexS6ZhobKA\n"],
  "/.npmrc": [`//registry.example.com/:_authToken=${SECRET}\n`, `registry=x\n_auth = ${SECRET}`],
  "/config.json": [`{"database": {"host": "db", "password": "${SECRET}"}}`, `{"apiKey":"${SECRET}"}`],
  "/docker-compose.yml": [
    "version: '3'\nservices:\n  web:\n    image: nginx\n",
    "services:\n  db:\n    build: .\n",
  ],
  "/actuator/env": [`{"activeProfiles":[],"propertySources":[{"name":"${SECRET}"}]}`],
  "/debug/pprof/": ["<html><head><title>/debug/pprof/</title></head>Types of profiles available:<table>"],
};

/** What hosts serve at any path without exposing anything. */
export const HARMLESS: Readonly<Record<string, string>> = {
  nothing: "",
  "a page":
    "<!DOCTYPE html><html><head><title>Welcome</title></head><body>password=1 services: PHP Version</body></html>",
  "a page without a doctype": "<h1>Not found</h1>\nKEY=VALUE\n",
  "a sentence": "Not found",
  "an error in JSON": '{"error":"not_found","message":"There is nothing at /id_rsa."}',
  "settings without secrets": '{"theme":"dark","passwordMinLength":8,"token":""}',
  "a list in JSON": "[1,2,3]",
  "settings nested too deep": `${'{"secret":'.repeat(6_000)}"x"`,
  "settings nested deeper than the stack": `{"a":${"[".repeat(30_000)}${"]".repeat(30_000)},"token":"x"}`,
  "a script": "(function(){var a=1;window.b=a})();",
  "a number": "404",
  "a text about keys": "Never publish a -----BEGIN RSA PRIVATE KEY----- file.",
  "an image": "\u0089PNG\r\n\u001a\n",
};
