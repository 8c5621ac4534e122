<?php
// SPDX-License-Identifier: Apache-2.0
// sabre/dav as Nextcloud has it, for `php -S`: what is told of names and errors is Nextcloud's, the rest is the library's own.
// STORE is the folder of files, BASE the path of the collection, PASSWORD that of the user rig-1.
//
// Nextcloud's rules, and the files of nextcloud/server that have them:
// - a name that ends in .part or .filepart is refused, whatever the case: lib/private/Files/FilenameValidator.php
//   (getForbiddenExtensions, checkForbiddenExtension), and so is .htaccess (getForbiddenFilenames), and one of more than 250 bytes;
// - the answer is 400 with <s:message>: apps/dav/lib/Connector/Sabre/Exception/InvalidPath.php;
// - it comes when a file or a folder is made and when one is looked up: apps/dav/lib/Connector/Sabre/Directory.php (createFile,
//   createDirectory, getChild), and when one is moved there: apps/dav/lib/Connector/Sabre/FilesPlugin.php (checkCopy, checkMove);
// - the entity tag comes as OC-ETag, too: apps/dav/lib/Connector/Sabre/FilesPlugin.php (sendFileIdHeader), and a GET has
//   Content-Disposition (httpGet).
// The library itself answers 404 to a PUT into a collection that is missing and 409 to MKCOL there, takes the path alone of
// Destination, refuses one outside of BASE with 403, and answers MOVE with 201, 204, or 412.

require_once 'Sabre/autoload.php'; // Debian's package

use Sabre\DAV;

class InvalidPath extends DAV\Exception
{
    public function getHTTPCode()
    {
        return 400;
    }
}

function checkName($name)
{
    $lower = mb_strtolower($name);
    if (strlen($name) > 250) {
        throw new InvalidPath('Filename is too long');
    }
    if ($lower === '.htaccess') {
        throw new InvalidPath(sprintf('"%s" is a forbidden file or folder name.', $lower));
    }
    foreach (['.filepart', '.part'] as $ending) {
        if (substr($lower, -strlen($ending)) === $ending) {
            throw new InvalidPath(sprintf('"%s" is a forbidden file type.', $ending));
        }
    }
}

class File extends DAV\FS\File
{
    public function getETag()
    {
        return '"' . md5(filemtime($this->path) . filesize($this->path) . $this->path) . '"';
    }

    public function put($data)
    {
        parent::put($data);
        clearstatcache();
        return $this->getETag();
    }
}

class Folder extends DAV\FS\Directory
{
    public function createFile($name, $data = null)
    {
        checkName($name);
        return (new File($this->path . '/' . $name))->put($data);
    }

    public function createDirectory($name)
    {
        checkName($name);
        parent::createDirectory($name);
    }

    public function getChild($name)
    {
        checkName($name);
        $path = $this->path . '/' . $name;
        if (!file_exists($path)) {
            throw new DAV\Exception\NotFound("File with name $name could not be located");
        }
        return is_dir($path) ? new Folder($path) : new File($path);
    }
}

class NextcloudPlugin extends DAV\ServerPlugin
{
    private $server;

    public function initialize(DAV\Server $server)
    {
        $this->server = $server;
        $server->subscribeEvent('beforeBind', function ($path) {
            checkName(basename($path));
        });
        $server->subscribeEvent('afterBind', [$this, 'sendTag']);
        $server->subscribeEvent('afterWriteContent', [$this, 'sendTag']);
        $server->subscribeEvent('beforeMethod', function ($method, $path) {
            if ($method === 'GET') {
                $name = rawurlencode(basename($path));
                $this->server->httpResponse->setHeader('Content-Disposition', "attachment; filename*=UTF-8''$name; filename=\"$name\"");
            }
        });
    }

    public function sendTag($path)
    {
        $node = $this->server->tree->getNodeForPath($path);
        if ($node instanceof File) {
            $this->server->httpResponse->setHeader('OC-ETag', $node->getETag());
        }
    }
}

class Users extends DAV\Auth\Backend\AbstractBasic
{
    protected function validateUserPass($username, $password)
    {
        return $username === 'rig-1' && $password === getenv('PASSWORD');
    }
}

$server = new DAV\Server(new Folder(getenv('STORE')));
$server->setBaseUri(getenv('BASE'));
$server->addPlugin(new DAV\Auth\Plugin(new Users(), 'Nextcloud'));
$server->addPlugin(new NextcloudPlugin());
$server->exec();
